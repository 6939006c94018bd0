// What /ready tells: whether requests should be sent here.
#pragma once

#include <atomic>

#include "base/clock.h"
#include "base/result.h"
#include "net/server.h"
#include "store/store.h"

namespace mayfly::app {

// Threads: ask() any; the others one.
class Readiness {
 public:
  // A busy disk takes milliseconds for a flush, a broken one seconds or for ever.
  explicit Readiness(store::Store& store, Span flush_time_max = Span::seconds(5))
      : store_(store), flush_time_max_(flush_time_max) {}

  // Fails with why it is not ready: it does not serve yet or any more, the store takes no writes,
  // or the disk does not answer.
  Result<void> ask() const;
  void serves(const net::Server& server) { server_ = &server; }
  void stops() { is_stopping_ = true; }

 private:
  store::Store& store_;
  const Span flush_time_max_;
  std::atomic<const net::Server*> server_ = nullptr;
  std::atomic<bool> is_stopping_ = false;
};

}  // namespace mayfly::app
