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

// Threads: those of one job, one at a time; any thread may call `wake`.
class Follower {
 public:
  // `wake` is called when next() has something to return, and sometimes when it has not. It must be
  // short, and take no lock that is held around a call of the follower. The database outlives it.
  Follower(Database& database, std::function<void()> wake);

  // Does nothing if the collection is followed already. A newly followed feed may have any event:
  // it is due in the next round.
  void follow(CollectionId collection);
  void unfollow(CollectionId collection);
  // Follows exactly these collections.
  void follow_only(const std::set<CollectionId>& collections);

  struct Round {
    Instant through;             // every commit up to this is durable, and its events can be read
    std::set<CollectionId> due;  // the others have no new event up to `through`
  };
  // No event is missed: if a collection may have one after `through`, it is due again in the next
  // round. Flushes everything committed.
  Round next();
  // Whether a collection is already due in the next round.
  bool has_more() const;

 private:
  // Written by watches of the feed, also while the follower is being destroyed.
  struct Inbox {
    std::mutex mutex;  // guards both
    std::set<CollectionId> woken;
    bool is_read = false;  // next() is about to read it: nothing needs to be woken
  };
  void mark_due(CollectionId collection);

  Database& database_;
  const std::function<void()> wake_;
  mutable Inbox inbox_;
  std::set<CollectionId> due_;                                  // kept if next() fails
  std::map<CollectionId, std::unique_ptr<FeedWatch>> watches_;  // end before the inbox
};

}  // namespace mayfly
