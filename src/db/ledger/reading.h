// Reads the ledger of ends: how many documents of a collection are living, and how many end from an
// instant on. It is exact to the microsecond, at a cost independent of their number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "db/catalog/catalog.h"
#include "db/ledger/changes.h"
#include "db/ledger/slots.h"
#include "db/read/view.h"
#include "expr/evaluation/meter.h"

namespace mayfly::ledger {

// One collection's ledger in one view. View and meter outlive it. Fails as the meter does, and with
// corrupt. Threads: one at a time.
class Reading {
 public:
  // Nothing if the ledger is not complete yet, or if the view is a transaction's.
  static Result<std::optional<Reading>> open(View& view, const Collection& collection,
                                             Meter& meter);

  // How many documents of the order end at this instant or later. It is exact if every document
  // that ends at or after it is living in the view; expired ones may have been purged.
  Result<std::uint64_t> from(keys::EndOrder order, Instant end);
  Result<std::uint64_t> never_ending();

 private:
  // What the commits that are not in the slots yet change, by second; each number includes those of
  // all later seconds of its order.
  using Pending = std::map<std::pair<keys::EndOrder, std::int64_t>, std::int64_t>;

  Reading(View& view, CollectionId collection, Meter& meter)
      : view_(&view), collection_(collection), meter_(&meter) {}
  Result<void> read_pending(Instant after);
  std::int64_t in_pending(keys::EndOrder order, std::int64_t second) const;
  Result<std::int64_t> in_slots(keys::EndOrder order, std::int64_t second);
  Result<std::int64_t> in_queue(keys::EndOrder order, Instant from, std::optional<Instant> until);

  View* view_;
  CollectionId collection_;
  Meter* meter_;
  Pending pending_;
};

// How many documents of the collection are living in the view. Nothing if the ledger cannot answer:
// then they have to be counted one by one, as query::count (query/run.h) does.
Result<std::optional<std::uint64_t>> count_living(View& view, const Collection& collection,
                                                  Meter& meter);

// The earliest end in an order that a version living at `now` can have.
Instant earliest_living_end(keys::EndOrder order, const Policy& policy, Instant now);

}  // namespace mayfly::ledger
