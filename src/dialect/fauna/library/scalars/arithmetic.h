// What the operators do. Whole numbers stay whole: an Int where it fits, then a Long, then a
// Double; with one Double all is Double.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

using BinaryFunction = Result<FqlValue> (*)(Run& run, const FqlValue& left, const FqlValue& right);
using UnaryFunction = Result<FqlValue> (*)(Run& run, const FqlValue& operand);

// + - * / % ** & | ^ < <= > >= == !=; null for what is no operator of two values. All others than
// the comparisons fail with invalid_function_invocation where the left one has no such operator,
// with invalid_argument where the right one is of a wrong type.
BinaryFunction find_binary_operator(std::string_view symbol);
// - ~
UnaryFunction find_unary_operator(std::string_view symbol);

// Of two whole numbers; nothing where the sum is for the functions above to say: it is beyond 64
// bits, or divides by zero.
std::optional<FqlValue> calculate_whole(BinaryOperator op, std::int64_t a, std::int64_t b);

// Numbers only.
FqlValue add_numbers(const FqlValue& a, const FqlValue& b);
FqlValue power_of(const FqlValue& base, const FqlValue& exponent);

// A double as a whole number, as Java casts it: cut towards zero, NaN is 0, what is beyond 64 bits
// is the last that they hold.
std::int64_t to_whole(double d);

}  // namespace mayfly::fauna
