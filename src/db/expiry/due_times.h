// DueTimes: when the next end of each collection comes, as far as is known.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "db/catalog/catalog.h"

namespace mayfly {

// Threads: the owner's lock.
class DueTimes {
 public:
  using Entry = std::pair<Instant, CollectionId>;

  void set(CollectionId id, Instant at) {
    erase(id);
    times_.emplace(id, at);
    in_order_.emplace(at, id);
  }
  // Sets the time if it is earlier than the known one; returns whether it was.
  bool lower(CollectionId id, Instant at) {
    const auto known = times_.find(id);
    if (known != times_.end() && known->second <= at) return false;
    set(id, at);
    return true;
  }
  void erase(CollectionId id) {
    const auto known = times_.find(id);
    if (known == times_.end()) return;
    in_order_.erase({known->second, id});
    times_.erase(known);
  }

  std::optional<Instant> find(CollectionId id) const {
    const auto known = times_.find(id);
    if (known == times_.end()) return std::nullopt;
    return known->second;
  }
  // never() and 0 if there is none.
  Entry first() const {
    return in_order_.empty() ? Entry{Instant::never(), 0} : *in_order_.begin();
  }
  const std::set<Entry>& in_order() const { return in_order_; }

 private:
  std::unordered_map<CollectionId, Instant> times_;
  std::set<Entry> in_order_;
};

}  // namespace mayfly
