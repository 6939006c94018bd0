// FeedHolds: events that stay in the feeds longer than the policies keep them, because a consumer
// that needs them has not read them yet. Readers that do not request held events do not see them.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "db/catalog/catalog.h"

namespace mayfly {

// The held events at one moment. Immutable.
struct HeldFeeds {
  std::map<DatabaseId, Instant> places = {};  // all events after it are held
  bool holds_others = false;                  // all events of databases that have no place

  // Events up to this instant may be gone; all later ones are kept. It never goes back.
  Instant floor(const Collection& collection, Instant now) const;
};

// Threads: any.
class FeedHolds {
 public:
  // `holds_all`: until set() has been called; for a caller that first has to read its places from
  // the store.
  explicit FeedHolds(bool holds_all = false);

  std::shared_ptr<const HeldFeeds> current() const;
  // Sets up to where each database's events are no longer needed. Of a database that is not named
  // none are needed, or all if `holds_others`. Released events stay released, even if a place goes
  // back.
  void set(std::map<DatabaseId, Instant> places, bool holds_others, const Catalog& catalog,
           Instant now);
  // Gives a database without a place the present instant as its place, so that later events are
  // held. Call it before the first subscription of the database exists. The next set() replaces
  // this place; if it does not name the database, the hold ends. Does nothing while the events of
  // all other databases are held.
  void begin(DatabaseId database, Instant now);

 private:
  mutable std::mutex mutex_;  // guards the pointer
  std::shared_ptr<const HeldFeeds> current_;
};

}  // namespace mayfly
