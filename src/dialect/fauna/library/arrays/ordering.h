// Sorting elements by what accessors give of them, and finding those that are equal. For arrays and
// for sets.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

struct Ordering {
  std::string name;                    // in messages
  const Callable* accessor = nullptr;  // null: the element itself
  bool is_descending = false;
};

// What order() is given: accessors, `{ asc: f }` and `{ desc: f }`, which the values keep; without
// any the total order. Fails with invalid_argument where an ordering is none.
Result<std::vector<Ordering>> read_orderings(Run& run, std::span<const FqlValue> given);

// Where the elements stand, in the order of these orderings, of which the first one decides first.
// Equal ones stay as they stand.
Result<std::vector<std::size_t>> places_in_order(Run& run, const FqlArray& elements,
                                                 std::span<const Ordering> orderings);
Result<FqlArray> in_order(Run& run, const FqlArray& elements, std::span<const Ordering> orderings);

// For each element where the first one stands that is equal to it, in the total order's sense.
Result<std::vector<std::size_t>> first_equals(Run& run, const FqlArray& elements);
// The elements without those that are equal to one before, in the total order's sense.
Result<FqlArray> without_duplicates(Run& run, const FqlArray& elements);

}  // namespace mayfly::fauna
