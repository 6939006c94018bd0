// One thread that waits for the disk, so that no loop has to. A slow flush delays only the answers
// that need it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "net/message.h"

namespace mayfly::net {

// Threads: flush() and flushing_for() from any; stop() from one.
class Flusher {
 public:
  // The callback of a flush.
  class Waiter {
   public:
    virtual ~Waiter() = default;
    // The requested watermark is durable. Called by the flusher's thread, so it must be short.
    virtual void flushed() = 0;
  };

  // `durability` outlives the flusher. If it is null, flush() must not be called.
  explicit Flusher(Durability* durability);
  ~Flusher();

  // Calls `waiter` once `watermark` is durable; it must live until then. One flush serves all
  // requests that came before it began.
  void flush(std::uint64_t watermark, Waiter& waiter);
  // The duration so far of the flush in progress; zero if there is none.
  Span flushing_for() const;
  // Serves the requests so far first.
  void stop();

 private:
  void work();

  Durability* const durability_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiter*> requested_;
  std::vector<Waiter*> being_served_;
  std::uint64_t watermark_ = 0;
  Instant since_ = Instant::never();
  bool is_stopped_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace mayfly::net
