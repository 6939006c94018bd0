// The comparisons of FQL as functions of the core.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "dialect/fauna/syntax/ast.h"

namespace mayfly::fauna {

struct CoreComparison {
  BinaryOperator op;
  std::string_view name;       // for `not_equal`, the negated function
  std::string_view exchanged;  // the equivalent function with exchanged sides
};
inline constexpr CoreComparison core_comparisons[] = {
    {BinaryOperator::equal, "equal", "equal"},
    {BinaryOperator::not_equal, "equal", "equal"},
    {BinaryOperator::less, "less", "greater"},
    {BinaryOperator::less_equal, "less_or_equal", "greater_or_equal"},
    {BinaryOperator::greater, "greater", "less"},
    {BinaryOperator::greater_equal, "greater_or_equal", "less_or_equal"},
};

// Null if the operator is no comparison.
inline const CoreComparison* find_core_comparison(BinaryOperator op) {
  const auto* const found = std::find_if(std::begin(core_comparisons), std::end(core_comparisons),
                                         [op](const CoreComparison& row) { return row.op == op; });
  return found == std::end(core_comparisons) ? nullptr : found;
}

}  // namespace mayfly::fauna
