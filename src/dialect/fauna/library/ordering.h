// Sorting elements by what accessors give of them, and finding those that are equal. For arrays and
// for sets.
#pragma once

#include <span>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// The elements in the order of these orderings, of which the first one decides first: accessors,
// `{ asc: f }` and `{ desc: f }`; without any by the total order. Equal ones stay as they stand.
// Fails with invalid_argument where an ordering is none.
Result<FqlArray> in_order(Run& run, const FqlArray& elements, std::span<const FqlValue> orderings);

// The elements without those that are equal to one before, in the total order's sense.
Result<FqlArray> without_duplicates(Run& run, const FqlArray& elements);

}  // namespace mayfly::fauna
