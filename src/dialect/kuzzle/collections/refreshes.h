// When searches find what was written, where they are told to find it late (searchRefreshInterval):
// so long after the write, or from when somebody refreshed the collection. Reads by id never wait.
// A search then looks at an earlier state, through the lens of a later page: what has died since is
// not shown by it either.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Threads: any. What was written before the start is found.
class Refreshes {
 public:
  Refreshes(Span found_after, Instant started_at)
      : found_after_(found_after), started_at_(started_at) {}

  bool is_off() const { return found_after_ <= Span{0}; }
  // Searches of the collection find all that was written at this instant or before.
  void refresh(CollectionId collection, Instant at);
  // The state that a search shows at `now`.
  Instant shown_at(CollectionId collection, Instant now);

 private:
  const Span found_after_;
  const Instant started_at_;
  std::mutex mutex_;
  std::map<CollectionId, Instant> refreshed_;  // of the time that still hides something
};

// After an action that has written: where it says `refresh`, what it wrote is found from now on.
void show_to_searches(const Call& call);
// The state that a search of the collection shows in the view; nothing where it shows all.
Result<std::optional<Instant>> shown_to_search(const Call& call, const View& view,
                                               const Collection& collection);

// Whether an index finds all writes at once, whatever the interval.
Result<bool> refreshes_itself(Database& database, const DatabaseInfo& index);
Result<void> set_refreshes_itself(Database& database, const DatabaseInfo& index, bool does);

}  // namespace mayfly::kuzzle
