// FeedHolds: events that stay in the feeds beyond their promised time, because one that must have
// them has not come so far. Readers who do not ask for held events see none of it.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "db/catalog/catalog.h"

namespace mayfly {

// What is held at one moment. Immutable.
struct HeldFeeds {
  std::map<DatabaseId, Instant> places = {};  // all behind it is held
  bool holds_others = false;                  // all of databases that have no place

  // Events up to it may be gone. It never goes back.
  Instant floor(const Collection& collection, Instant now) const;
};

// Threads: any.
class FeedHolds {
 public:
  // `holds_all`: until set() has been called; for one who finds its places in the store.
  explicit FeedHolds(bool holds_all = false);

  std::shared_ptr<const HeldFeeds> current() const;
  // Up to where each database's events are needed no more; of one that is not named none are, or
  // all where `holds_others`. What has been released stays so, also where a place goes back.
  void set(std::map<DatabaseId, Instant> places, bool holds_others, const Catalog& catalog,
           Instant now);
  // Until the next set() that names it, a database that has no place has that of now.
  void begin(DatabaseId database, Instant now);

 private:
  mutable std::mutex mutex_;  // guards the pointer
  std::shared_ptr<const HeldFeeds> current_;
};

}  // namespace mayfly
