// The garbage collector of the trashcans, as Kuzzle has it: in passes, each of which takes those
// documents of each collection out for good that have been there longest, up to a bound; the first
// comes some time after the start, the next as long after the end of the one before. While the
// server is overloaded no pass begins, and one under way leaves the collections that it comes to.
// Collections that were not made through this API keep trash by promises of their own, which are
// none of its business.
#pragma once

#include <functional>
#include <mutex>

#include "dialect/dialect.h"
#include "dialect/kuzzle/options.h"

namespace mayfly::kuzzle {

// Threads: any.
class Collector {
 public:
  // `is_overloaded`: whether the server is now.
  Collector(const Services& services, const TrashCollector& options,
            std::function<bool()> is_overloaded);

  // Runs the pass that is due, if one is. A request that is about to show a trashcan calls it, too,
  // so that no answer depends on when the job runs. Gives how many documents went. On an event loop
  // no pass runs: while one is due or under way, it fails there with contended (NoWait).
  // A pass ends early where `must_end` (none: never).
  Result<std::size_t> run_due(const std::function<bool()>& must_end = {});
  // When the next pass is due. Waits for a pass that is under way.
  Instant next_at();

 private:
  std::size_t run_pass(const std::function<bool()>& must_end);

  const Services& services_;
  const TrashCollector options_;
  const std::function<bool()> is_overloaded_;
  std::mutex passes_;  // one pass at a time; guards the next
  Instant next_at_;
};

}  // namespace mayfly::kuzzle
