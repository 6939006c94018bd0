// What event streams are fed from: a source reads the events of some collections, a page at a time,
// and renders them once for all subscribers that stand at the same place.
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

// Where a subscriber stands: it has been sent this, and all before it.
struct EventPosition {
  Instant committed_at = Instant::beginning();
  std::uint64_t part = 0;  // of what the commit did, as the source counts
  auto operator<=>(const EventPosition&) const = default;

  // The position behind all of a commit.
  static EventPosition behind(Instant commit) { return {commit, UINT64_MAX}; }
};
EventPosition event_position(const FeedPosition& position);

struct EventPiece {
  EventPosition position;
  std::string text;     // as it is sent
  std::any about = {};  // what a subscriber's filter is asked of
};

struct EventPage {
  std::vector<EventPiece> pieces = {};  // in the order of their positions
  EventPosition upto;                   // all up to and with this has been read
  bool has_gap = false;                 // events behind the reader were no longer kept
};

// Threads: the hub's job alone, but for name().
class EventSource {
 public:
  virtual ~EventSource() = default;
  // Sources of one name give the same: what one of them has read is sent to the subscribers of all.
  virtual const std::string& name() const = 0;
  // Whose functions it may call for its events, of all that share what these may take; empty: it
  // calls none. Its subscribers are kept apart from those of sources that call none. Threads: any.
  virtual std::string_view payer() const { return {}; }
  // Whether it calls some for each event, as far as it shows beforehand.
  virtual bool calls_functions() const { return false; }
  // Whose events it reads. Others may be added and left out while it is in use.
  virtual std::set<CollectionId> collections(const CatalogPtr& catalog) = 0;
  // What is behind `after`, up to and with `through`, or the beginning of it. `only`: of these
  // collections, for the others have nothing new; null: of all. Its streams end where it fails.
  virtual Result<EventPage> read(const EventPosition& after, Instant through,
                                 const std::set<CollectionId>* only) = 0;
};

// What subscribers are sent for an event; nothing where it is none of theirs.
using RenderEvent =
    std::function<std::optional<std::string>(const Collection&, const Event&, EventImages&)>;

// The feeds of these collections, in the order of the commits. Read with the same `render`, they
// are one source. It ends when one of the collections is dropped or stops keeping a feed.
std::shared_ptr<EventSource> feed_source(Database& database, std::set<CollectionId> collections,
                                         std::shared_ptr<const RenderEvent> render);

}  // namespace mayfly
