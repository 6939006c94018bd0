// Reading the ledger of ends: how many documents of a collection are alive, and how many end from
// an instant on, exact to the microsecond, at a cost that does not grow with their number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "db/catalog/catalog.h"
#include "db/ledger/changes.h"
#include "db/ledger/slots.h"
#include "db/read/view.h"

namespace mayfly::ledger {

// One collection's ledger in one view, which outlives it.
class Reading {
 public:
  // Nothing where the ledger is not complete yet, or where the view is a transaction's.
  static Result<std::optional<Reading>> open(View& view, const Collection& collection);

  // How many of the order end at this instant or later. Exact as long as all that have ended at or
  // after it are alive in the view: what is dead may have been purged.
  Result<std::uint64_t> from(keys::EndOrder order, Instant end);
  Result<std::uint64_t> never_ending();

 private:
  Reading(View& view, CollectionId collection, std::vector<Change> pending)
      : view_(&view), collection_(collection), pending_(std::move(pending)) {}
  Result<std::int64_t> in_slots(keys::EndOrder order, std::int64_t second);
  Result<std::int64_t> in_queue(keys::EndOrder order, Instant from, std::optional<Instant> until);

  View* view_;
  CollectionId collection_;
  std::vector<Change> pending_;  // of commits that are not in the slots yet
};

// How many documents of the collection are alive in the view. Nothing where the ledger does not
// say: then they have to be counted one by one.
Result<std::optional<std::uint64_t>> count_living(View& view, const Collection& collection);

// The earliest end of an order of which a version is alive at `now`.
Instant alive_from(keys::EndOrder order, const Policy& policy, Instant now);

}  // namespace mayfly::ledger
