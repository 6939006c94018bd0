// The feed: what happened to the documents of a collection, in the order of the commits, for as
// long as the collection keeps it. Each death has one identity (collection, document, version_at,
// death) and stands in the feed just once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/catalog/catalog.h"
#include "db/feed/holds.h"
#include "db/jobs/jobs.h"
#include "db/rows/document.h"

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

// What a reader is shown: what the collection promises, or also what is held (holds.h).
enum class FeedReach : std::uint8_t { promised, held };

// Letting go of it ends the watch: when its destructor returns, `woken` is not running and will not
// be called again. It may outlive the feed. Not to be let go of under a lock that `woken` takes.
class FeedWatch {
 public:
  virtual ~FeedWatch() = default;
};

// Threads: any.
class Feed {
 public:
  explicit Feed(Database& database);
  ~Feed();

  // Events behind `after`, up to and with those of the instant `until`. Only what is durable is
  // told. Fails with unsupported where the collection keeps no feed.
  Result<FeedPage> read(const Collection& collection, FeedPosition after, std::size_t events_max,
                        Instant until = Instant::never(), FeedReach reach = FeedReach::promised);
  // What stays in the feeds beyond their promises.
  FeedHolds& holds();

  // `woken` is called after every event that is committed once watch() has returned, when the event
  // is durable; one call may stand for many, and some for none. Also where the collection has been
  // changed or dropped. It is called by the feed's job, or by a thread that is in settle(), and
  // must be short; it may let go of its own watch, and must not call settle().
  using Woken = std::function<void()>;
  [[nodiscard]] std::unique_ptr<FeedWatch> watch(CollectionId collection, Woken woken);
  // Makes all that has been committed durable, wakes the watches of what has changed, and gives the
  // instant of the last commit. It is closed (commit_clock.h), and durable, so that it stays closed
  // after a loss of power: no later event has an earlier instant. Every event up to it can be read,
  // and has woken its watches.
  Instant settle();

  // A commit has changed the collection. Called under the commit mutex, after the commit.
  void note(CollectionId collection);
  // Whether note() has anything to do; costs nothing.
  bool is_watched() const;
  // Adds the job that wakes the watchers, and removes it.
  void add_job(Jobs& jobs);
  void remove_job();

 private:
  struct Watches;
  Database& database_;
  std::shared_ptr<Watches> watches_;
  JobHandle job_;
};

}  // namespace mayfly
