// Emulates Elasticsearch's refresh interval (setting searchRefreshInterval). Searches find a write
// only after that interval, or after a refresh of the collection. Reads by id see writes
// immediately. A search then reads an earlier state, like a later page of a scroll: documents that
// have expired since then are not shown.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Threads: any. Everything written before the server's start is found.
class Refreshes {
 public:
  Refreshes(Span found_after, Instant started_at)
      : found_after_(found_after), started_at_(started_at) {}

  bool is_off() const { return found_after_ <= Span{0}; }
  // From now on searches of the collection find all writes up to this instant.
  void refresh(CollectionId collection, Instant at);
  // The instant of the state that a search at `now` reads.
  Instant visible_at(CollectionId collection, Instant now);

 private:
  const Span found_after_;
  const Instant started_at_;
  std::mutex mutex_;
  std::map<CollectionId, Instant> refreshed_;  // only refreshes that still have an effect
};

// Called after an action that has written. If the request has `refresh`, searches find its writes
// from now on.
void refresh_written(const KuzzleCall& call);
// The instant of the state that a search of the collection reads; nothing if it reads the newest.
Result<std::optional<Instant>> search_snapshot(const KuzzleCall& call, const View& view,
                                               const Collection& collection);

// Whether searches of the index find writes immediately, whatever the interval.
Result<bool> has_auto_refresh(Database& database, const DatabaseInfo& index);
Result<void> store_auto_refresh(Database& database, const DatabaseInfo& index, bool does);

}  // namespace mayfly::kuzzle
