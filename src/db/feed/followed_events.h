// Reading the feeds of several collections as one: their events in the order of the commits.
#pragma once

#include <vector>

#include "db/database.h"
#include "db/feed/feed.h"

namespace mayfly {

struct FeedCursor {
  CollectionId collection = 0;
  FeedPosition at;
};

struct FollowedEvent {
  CollectionPtr collection;
  Event event;

  FeedPosition position() const { return {event.committed_at, event.number}; }
};

struct FollowedPage {
  std::vector<FollowedEvent> events;
  bool is_whole = true;            // there is nothing more up to `until`
  bool has_gap = false;            // events behind a cursor were no longer kept
  std::vector<CollectionId> gone;  // dropped, or without a feed, or unreadable
};

// What lies behind the cursors, up to and with `until`: of each collection at most `events_max`
// events. Between two events of the page no other is missing.
FollowedPage read_followed(Database& database, const std::vector<FeedCursor>& cursors,
                           FeedPosition until, std::size_t events_max,
                           FeedReach reach = FeedReach::promised);

}  // namespace mayfly
