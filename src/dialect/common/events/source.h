// EventSource: the source of event streams. It reads the events of some collections, a page at a
// time, and renders them once for all subscribers at the same position.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/feed/event_images.h"
#include "db/feed/feed.h"

namespace mayfly {

// The position of a subscriber: it was sent the event at this position, and all before it.
struct EventPosition {
  Instant committed_at = Instant::beginning();
  std::uint64_t part = 0;  // part of the commit, as the source counts
  auto operator<=>(const EventPosition&) const = default;

  // The position after all events of a commit.
  static EventPosition behind(Instant commit) { return {commit, UINT64_MAX}; }
};
EventPosition event_position(const FeedPosition& position);

struct EventPiece {
  EventPosition position;
  std::string text;     // the text to send
  std::any about = {};  // what a subscriber's filter is applied to
};

struct EventPage {
  std::vector<EventPiece> pieces = {};  // in the order of their positions
  EventPosition upto;                   // everything up to and including this was read
  bool has_gap = false;  // some events after the reader's position were no longer kept
};

// Threads: the hub's job only, except name() and payer().
class EventSource {
 public:
  virtual ~EventSource() = default;
  // Sources with the same name give the same events: what one of them has read is sent to the
  // subscribers of all.
  virtual const std::string& name() const = 0;
  // The client whose functions it may call for its events; sources with the same payer share a time
  // budget. Empty: it calls none. Its subscribers are served apart from those of sources that call
  // none.
  virtual std::string_view payer() const { return {}; }
  // Whether it calls functions for each event, if that is known beforehand.
  virtual bool calls_functions() const { return false; }
  // The collections whose events it reads. They may change while it is in use.
  virtual std::set<CollectionId> collections(const CatalogPtr& catalog) = 0;
  // Reads the events after `after`, up to and including `through`, or the first of them. `only`:
  // the collections to read, because the others have nothing new; null: all. If it fails, its
  // streams end.
  virtual Result<EventPage> read(const EventPosition& after, Instant through,
                                 const std::set<CollectionId>* only) = 0;
};

// The text that subscribers are sent for an event; nullopt if the event does not concern them.
using RenderEvent =
    std::function<std::optional<std::string>(const Collection&, const Event&, EventImages&)>;

// A source of the feeds of these collections, in the order of the commits. The same collections
// with the same `render` are the same source. It ends when one of the collections is dropped or
// stops keeping a feed.
std::shared_ptr<EventSource> feed_source(Database& database, std::set<CollectionId> collections,
                                         std::shared_ptr<const RenderEvent> render);

}  // namespace mayfly
