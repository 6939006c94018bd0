// FailingSweeps: the collections whose ends could not be recorded at the last attempt, and when the
// sweeper's thread tries each again: soon at first, then at growing intervals.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "base/clock.h"
#include "db/catalog/catalog.h"
#include "db/limits.h"

namespace mayfly {

// Instants here are of the monotonic clock. Threads: the owner's lock.
class FailingSweeps {
 public:
  // The collection has failed at `now`. Returns whether its previous attempt had not failed.
  bool add(CollectionId id, Instant now) {
    const auto [entry, is_new] = failing_.try_emplace(id);
    Failing& f = entry->second;
    f.rest = is_new ? limits::sweep_retry_first
                    : std::min(Span{2 * f.rest.micros}, limits::sweep_retry_max);
    f.retry_at = now + f.rest;
    return is_new;
  }
  // Returns whether it was failing.
  bool erase(CollectionId id) { return failing_.erase(id) > 0; }

  // beginning() for a collection that does not fail.
  Instant retry_at(CollectionId id) const {
    const auto found = failing_.find(id);
    return found == failing_.end() ? Instant::beginning() : found->second.retry_at;
  }
  // The first retry after `now`; never(): none.
  Instant next_retry(Instant now) const {
    Instant next = Instant::never();
    for (const auto& [id, f] : failing_) {
      if (f.retry_at > now) next = std::min(next, f.retry_at);
    }
    return next;
  }
  std::size_t size() const { return failing_.size(); }

 private:
  struct Failing {
    Span rest;
    Instant retry_at;
  };
  std::unordered_map<CollectionId, Failing> failing_;
};

}  // namespace mayfly
