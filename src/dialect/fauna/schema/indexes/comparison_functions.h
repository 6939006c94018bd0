// The comparisons of FQL as functions of the core.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "dialect/fauna/syntax/ast.h"

namespace mayfly::fauna {

struct CoreComparison {
  BinaryOperator op;
  std::string_view name;       // of `not_equal`, of its negation
  std::string_view exchanged;  // of the one that says the same with its sides exchanged
};
inline constexpr CoreComparison core_comparisons[] = {
    {BinaryOperator::equal, "equal", "equal"},
    {BinaryOperator::not_equal, "equal", "equal"},
    {BinaryOperator::less, "less", "greater"},
    {BinaryOperator::less_equal, "less_or_equal", "greater_or_equal"},
    {BinaryOperator::greater, "greater", "less"},
    {BinaryOperator::greater_equal, "greater_or_equal", "less_or_equal"},
};

// Null where the operator compares nothing.
inline const CoreComparison* find_core_comparison(BinaryOperator op) {
  const auto* const found = std::find_if(std::begin(core_comparisons), std::end(core_comparisons),
                                         [op](const CoreComparison& row) { return row.op == op; });
  return found == std::end(core_comparisons) ? nullptr : found;
}

}  // namespace mayfly::fauna
