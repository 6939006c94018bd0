// Sorts elements by the values of accessors, and finds equal elements. For arrays and sets.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

struct Ordering {
  std::string name;                    // for messages
  const Callable* accessor = nullptr;  // null: the element itself
  bool is_descending = false;
};

// Parses the arguments of order(): accessors, `{ asc: f }` and `{ desc: f }`. Without arguments,
// the total order. The result points into the arguments. Fails with invalid_argument.
Result<std::vector<Ordering>> read_orderings(Run& run, std::span<const FqlValue> arguments);

// The positions of the elements in sorted order. The first ordering has precedence. The sort is
// stable.
Result<std::vector<std::size_t>> sorted_positions(Run& run, const FqlArray& elements,
                                                  std::span<const Ordering> orderings);
Result<FqlArray> in_order(Run& run, const FqlArray& elements, std::span<const Ordering> orderings);

// For each element, the position of the first element equal to it in the total order.
Result<std::vector<std::size_t>> first_equals(Run& run, const FqlArray& elements);
// The elements without those that equal an earlier one in the total order.
Result<FqlArray> without_duplicates(Run& run, const FqlArray& elements);

}  // namespace mayfly::fauna
