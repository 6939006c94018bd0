// What is going to die, told from the queues without a look at the documents: how many in each
// stretch of time to come, and how many more if the default were another. The first `rows_max` rows
// are counted. Of the rest the store says about how many there are, in the same time however many;
// what it has said of the rows that were counted tells by how much it is wrong.
#pragma once

#include <vector>

#include "base/limits.h"
#include "db/database.h"

namespace mayfly {

struct Deaths {
  std::uint64_t documents = 0;
  bool is_exact = true;

  Deaths& operator+=(const Deaths& more);
};

struct Forecast {
  struct Slot {
    Instant until;  // deaths from the slot before, or now, up to here; this instant not included
    Deaths deaths;
  };
  Instant now;
  std::vector<Slot> slots;
};
// The next `count` slots of `width` each, by the policy now in force. Fails with not_found where
// the collection is gone.
Result<Forecast> forecast(Database& database, CollectionId collection, Span width,
                          std::size_t count, std::size_t rows_max = limits::forecast_rows_max);

// How many of those alive now would be dead if the default became this one.
struct Preview {
  Instant now;
  Deaths at_once;
  Deaths within_a_day;
  Deaths within_a_week;
};
Result<Preview> preview(Database& database, CollectionId collection, const Default& wanted);

}  // namespace mayfly
