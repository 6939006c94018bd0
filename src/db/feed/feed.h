// The feed: the events of the documents of a collection, in commit order, for as long as the
// collection keeps them. Each death is identified by (collection, document, version_at, death) and
// is in the feed exactly once.
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

// The position of a reader of the feed: after this event. The default is before the first.
struct FeedPosition {
  Instant committed_at = Instant::beginning();
  std::uint32_t number = 0;
  auto operator<=>(const FeedPosition&) const = default;
};

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
  Instant version_at;  // written_at of the version concerned: the new one, or the one that ended
  Instant death = Instant::never();  // for expired

  FeedPosition position() const { return {committed_at, number}; }
};
std::string_view name_of(Event::Kind kind);

// The row of an event, and back. `key` is the document's encoded key. Decoding fails with corrupt.
void encode_event(Event::Kind kind, BytesView key, Instant version_at, Instant death, Bytes& out);
Result<Event> decode_event(const store::Row& row);

struct FeedPage {
  std::vector<Event> events;
  FeedPosition last;  // of the last event, or the reader's previous position
  bool has_more = false;
  bool has_gap = false;  // the position is older than the kept events: some may be missed
};

// Which events a reader sees: those that the policy keeps, or also held ones (holds.h).
enum class FeedScope : std::uint8_t { retained, held };

// Destroying it ends the watch: when its destructor returns, `woken` is not running (unless `woken`
// itself has destroyed it) and will not be called again. It may outlive the feed. It must not be
// destroyed under a lock that `woken` takes.
class FeedWatch {
 public:
  virtual ~FeedWatch() = default;
};

// Threads: any.
class Feed {
 public:
  explicit Feed(Database& database);
  ~Feed();

  // Events after `after`, up to and including those of the instant `until`; at most `events_max`,
  // which is at least 1. Returns only durable events, and may wait until events are durable. A
  // reader may process a part of a page and read the rest again later. Fails with unsupported if
  // the collection keeps no feed, and with corrupt if rows that the feed needs are lost.
  Result<FeedPage> read(const Collection& collection, FeedPosition after, std::size_t events_max,
                        Instant until = Instant::never(), FeedScope scope = FeedScope::retained);
  // After a loss of rows: where logged ends name rows of queues that are lost (logged_ends.h), puts
  // events for the others in their place; and moves the watermarks behind all logged ends. Only
  // while nothing else commits.
  Result<void> replace_incomplete(const Collection& collection);
  // Events that stay in the feeds longer than the policies keep them.
  FeedHolds& holds();

  // `woken` is called after every event that is committed once watch() has returned, when the event
  // is durable. One call may stand for many events, and some for none. It is also called when the
  // collection has been changed or dropped. It is called by the feed's job, or by a thread that is
  // in flush(), and must be short; it may destroy its own watch, and must not call flush().
  using Woken = std::function<void()>;
  [[nodiscard]] std::unique_ptr<FeedWatch> watch(CollectionId collection, Woken woken);
  // Makes everything committed durable, wakes the watches of changed collections, and returns the
  // instant of the last commit. That instant is closed (commit_clock.h) and durable, so that it
  // stays closed after a loss of power: no later event has an earlier instant. Every event up to it
  // can be read, and has woken its watches.
  Instant flush();

  // A commit has changed the collection. Called under the commit mutex, after the commit.
  void note(CollectionId collection);
  // Whether note() has anything to do; cheap.
  bool is_watched() const;
  // Adds and removes the job that wakes the watchers.
  void add_job(Jobs& jobs);
  void remove_job();

 private:
  struct Watches;
  Result<FeedPage> skip_released(CollectionId id, Instant committed_at, FeedScope scope);

  Database& database_;
  std::shared_ptr<Watches> watches_;
  JobHandle job_;
};

}  // namespace mayfly
