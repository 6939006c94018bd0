// Limits the login attempts on one WebSocket in each second.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::kuzzle {

// Threads: one at a time, as a WebSocket has one request under way.
class Logins {
 public:
  // Counts one more attempt; false if there are too many in this second.
  bool may_try(Instant now, std::size_t tries_max) {
    if (now - since_ >= Span::seconds(1)) {
      since_ = now;
      tries_ = 0;
    }
    return ++tries_ <= tries_max;
  }

 private:
  Instant since_;
  std::size_t tries_ = 0;
};

}  // namespace mayfly::kuzzle
