// How many living documents will expire: how many in each stretch of time to come, and how many
// under another default. The ledger of ends (reading.h) gives exact numbers. While a collection's
// ledger is not complete, the rows of its queues are counted instead, about `rows_max` of them. For
// the rest the store estimates the number of rows, in the same time however many there are; the
// estimate is corrected by its error on the rows that were counted.
#pragma once

#include <vector>

#include "base/limits.h"
#include "db/database.h"
#include "expr/evaluation/meter.h"

namespace mayfly {

struct Deaths {
  std::uint64_t documents = 0;
  bool is_exact = true;

  Deaths& operator+=(const Deaths& more);
};

struct Forecast {
  struct Slot {
    Instant
        until;  // deaths from the previous slot's end, or from now, until this instant, exclusive
    Deaths deaths;
  };
  Instant now;
  std::vector<Slot> slots;
};
// The next `count` slots of `width` each, by the current policy. Fails with not_found if the
// collection is gone, and as the meter does.
Result<Forecast> forecast(Database& database, CollectionId collection, Span width,
                          std::size_t count, Meter meter,
                          std::size_t rows_max = limits::forecast_rows_max);

// How many living documents would have expired if this became the default now: by that instant, and
// a day and a week later. Each number includes the ones before. Fails as forecast().
struct Preview {
  Instant now;
  Deaths at_once;
  Deaths within_a_day;
  Deaths within_a_week;
};
Result<Preview> preview(Database& database, CollectionId collection, const Default& changed_default,
                        Meter meter);

}  // namespace mayfly
