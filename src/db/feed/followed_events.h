// Reads the feeds of several collections as one: their events in commit order.
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
  bool is_whole = true;            // there are no more events up to `until`
  bool has_gap = false;            // events after a cursor were no longer kept
  std::vector<CollectionId> gone;  // dropped, internal, without a feed, or unreadable (then logged)
};

// Events after the cursors, up to and including `until`: at most `events_max` for each collection.
// No event is missing between two events of the page.
FollowedPage read_followed(Database& database, const std::vector<FeedCursor>& cursors,
                           FeedPosition until, std::size_t events_max,
                           FeedScope scope = FeedScope::retained);

}  // namespace mayfly
