// The garbage collector of the trashcans, as in Kuzzle. It runs in passes: each removes for good,
// from each collection, the documents that have been in the trash longest, up to a bound. The first
// pass starts some time after the server's start, the next as long after the end of the previous
// one. While the server is overloaded no pass begins, and a running pass skips the collections that
// it reaches. Other dialects' collections have retention policies of their own, which the collector
// does not touch.
#pragma once

#include <functional>
#include <mutex>

#include "dialect/dialect.h"
#include "dialect/kuzzle/options.h"

namespace mayfly::kuzzle {

// Threads: any.
class Collector {
 public:
  // `is_overloaded`: whether the server is overloaded now.
  Collector(const Services& services, const TrashCollectorOptions& options,
            std::function<bool()> is_overloaded);

  // Runs the pass that is due, if one is, and returns the number of removed documents. A request
  // that shows a trashcan calls it first, so that no answer depends on when the job runs. Event
  // loops run no pass: while one is due or running, it fails there with contended (NoWait). A pass
  // ends early if `must_end` returns true (null: never).
  Result<std::size_t> run_due(const std::function<bool()>& must_end = {});
  // When the next pass is due. Waits for a running pass.
  Instant next_at();

 private:
  std::size_t run_pass(const std::function<bool()>& must_end);

  const Services& services_;
  const TrashCollectorOptions options_;
  const std::function<bool()> is_overloaded_;
  std::mutex passes_;  // one pass at a time; guards the next
  Instant next_at_;
};

}  // namespace mayfly::kuzzle
