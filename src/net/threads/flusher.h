// One thread that waits for the disk, so that no loop has to: a flush that takes long holds up the
// answers that need it, and nothing else. A loop that serves one connection alone may flush itself
// while the disk is quick: that saves two switches of threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "net/message.h"

namespace mayfly::net {

// Threads: any; stop() from one.
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
  // Flushes in the calling thread, which stands still meanwhile; true: `mark` is durable. False,
  // and nothing was done, where the last flush took long, or was none yet, or one is under way.
  bool flush_here(std::uint64_t mark);
  // How long the flush that is under way has taken; nothing where none is.
  Span flushing_for() const;
  // What has been asked for is done first.
  void stop();

 private:
  void work();
  void note_begin();
  void note_end();

  Durability* const durability_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting*> asked_;
  std::vector<Waiting*> served_;
  std::uint64_t mark_ = 0;
  Instant since_ = Instant::never();
  Span last_took_ = Span::infinite();
  bool is_stopped_ = false;
  std::thread thread_;  // last: it works with what is above
};

}  // namespace mayfly::net
