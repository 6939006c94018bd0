// One thread that waits for the disk, so that no loop has to: a flush that takes long holds up the
// answers that need it, and nothing else.
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
  // Who waits for a flush.
  class Waiting {
   public:
    virtual ~Waiting() = default;
    // By the flusher's thread, so it must be short: what flush() was asked for is durable.
    virtual void flushed() = 0;
  };

  // `durability` may be null: then nothing may be asked for. It outlives the flusher.
  explicit Flusher(Durability* durability);
  ~Flusher();

  // Calls `waiting`, which must last until then, once `mark` is durable. One flush serves all who
  // have asked before it began.
  void flush(std::uint64_t mark, Waiting& waiting);
  // How long the flush that is under way has taken; nothing where none is.
  Span flushing_for() const;
  // What has been asked for is done first.
  void stop();

 private:
  void work();

  Durability* const durability_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting*> asked_;
  std::vector<Waiting*> served_;
  std::uint64_t mark_ = 0;
  Instant since_ = Instant::never();
  bool is_stopped_ = false;
  std::thread thread_;  // last: it works with what is above
};

}  // namespace mayfly::net
