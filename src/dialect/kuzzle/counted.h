// Counted: a request as statistics count it; however it ends, it has ended.
#pragma once

#include "base/no_wait.h"
#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/statistics.h"

namespace mayfly::kuzzle {

class Counted {
 public:
  explicit Counted(const Call& call) : call_(call) {
    call_.shared.statistics.started(call_.message.protocol, call_.database().now());
  }
  Counted(const Counted&) = delete;
  ~Counted() {
    if (NoWait::has_refused_here()) {
      call_.shared.statistics.put_off(call_.message.protocol);
      return;
    }
    call_.shared.statistics.ended(call_.message.protocol, has_failed, call_.database().now());
  }
  bool has_failed = true;

 private:
  const Call& call_;
};

}  // namespace mayfly::kuzzle
