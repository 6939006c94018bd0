// Follower: which of several feeds have new events. A job that sends events to clients has one: it
// names the collections, and begins each of its runs with next().
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "db/feed/feed.h"

namespace mayfly {

// Threads: those of one job, one at a time; `wake` is called by any.
class Follower {
 public:
  // `wake` is called when next() has something to give, now and then also when not. It must be
  // short, and take no lock that is held around a call of the follower. The database outlives it.
  Follower(Database& database, std::function<void()> wake);

  // What it follows already it leaves as it is. A feed that is new here may have any event: the
  // next round has it.
  void follow(CollectionId collection);
  void leave(CollectionId collection);
  // Follows these, and leaves all others.
  void follow_only(const std::set<CollectionId>& collections);

  struct Round {
    Instant through;             // every commit up to this is durable, and its events can be read
    std::set<CollectionId> due;  // the others have no event up to `through` that is new
  };
  // No event is missed: where a collection may have one behind `through`, the next round has it
  // again. Flushes what has been committed.
  Round next();
  // Whether the next round has a collection already.
  bool has_more() const;

 private:
  // What watches of the feed write to; also while the follower ends.
  struct Inbox {
    std::mutex mutex;  // guards both
    std::set<CollectionId> woken;
    bool is_read = false;  // next() is about to look: nothing needs to be woken
  };
  void note(CollectionId collection);

  Database& database_;
  const std::function<void()> wake_;
  mutable Inbox inbox_;
  std::set<CollectionId> due_;                                  // stays where next() fails
  std::map<CollectionId, std::unique_ptr<FeedWatch>> watches_;  // end before the inbox
};

}  // namespace mayfly
