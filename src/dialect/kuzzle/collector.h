// The garbage collector of the trashcans, as Kuzzle has it: in passes, each of which takes those
// documents of each collection out for good that have been there longest, up to a bound; the first
// comes some time after the start, the next as long after the end of the one before. While the
// server is overloaded no pass begins, and one under way leaves the collections that it comes to.
// Collections that were not made through this API keep trash by promises of their own, which are
// none of its business.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "dialect/dialect.h"
#include "dialect/kuzzle/options.h"

namespace mayfly::kuzzle {

// Threads: any.
class Collector {
 public:
  enum class RunBy { itself, caller };
  // `is_overloaded`: whether the server is now. `each_look`: what else is looked at as often by the
  // same thread.
  Collector(const Services& services, RunBy run_by, std::function<bool()> is_overloaded,
            std::function<void()> each_look = {});
  ~Collector();

  // Runs the pass that is due, if one is. Whoever is about to be shown a trashcan calls it, so that
  // no answer depends on when a thread had its turn. Gives how many documents went. On an event
  // loop no pass runs: while one is due or under way, it fails there with contended (NoWait).
  Result<std::size_t> run_due();

 private:
  std::size_t run_pass();
  void loop();

  const Services& services_;
  const TrashCollector options_;
  const std::function<bool()> is_overloaded_;
  const std::function<void()> each_look_;
  std::mutex passes_;  // one pass at a time; guards the next
  Instant next_at_;
  std::mutex mutex_;
  std::condition_variable stops_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace mayfly::kuzzle
