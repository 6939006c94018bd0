// The feed: what happened to the documents of a collection, in the order of the commits, for as
// long as the collection keeps it. Each death has one identity (collection, document, version_at,
// death) and stands in the feed just once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/catalog.h"
#include "db/document.h"

namespace mayfly {

class Database;

struct Event {
  // VALUES REACH DISK: never renumber.
  enum class Kind : char {
    created = 'c',
    replaced = 'r',
    removed = 'd',
    expired = 'x',
    restored = 's',
    forgotten = 'f'
  };
  Kind kind = Kind::created;
  Instant committed_at;
  std::uint32_t number = 0;  // within the commit
  DocumentKey key;
  Instant version_at;  // written_at of the version told of: the new one, or the one that ended
  Instant death = Instant::never();  // for expired
};
std::string_view name_of(Event::Kind kind);

// An event's row, and back. `key` is the document's encoded key. Decoding fails with corrupt.
void encode_event(Event::Kind kind, BytesView key, Instant version_at, Instant death, Bytes& out);
Result<Event> decode_event(const store::Row& row);

// Where a reader of the feed stands: after this event. The default is before the first.
struct FeedPosition {
  Instant committed_at = Instant::beginning();
  std::uint32_t number = 0;
  auto operator<=>(const FeedPosition&) const = default;
};
struct FeedPage {
  std::vector<Event> events;
  FeedPosition last;  // of the last event, or where the reader stood
  bool has_more = false;
  bool has_gap = false;  // events behind the reader's position were no longer kept
};

// Threads: any.
class Feed {
 public:
  explicit Feed(Database& database) : database_(database) {}
  // Only what is durable is told. Fails with unsupported where the collection keeps no feed.
  Result<FeedPage> read(const Collection& collection, FeedPosition after, std::size_t events_max);

 private:
  Database& database_;
};

}  // namespace mayfly
