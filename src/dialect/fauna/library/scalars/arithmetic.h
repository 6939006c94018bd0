// The operators. Results of whole numbers stay whole: an Int if it fits, then a Long, then a
// Double. If one operand is a Double, so is the result.
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

// + - * / % ** & | ^ < <= > >= == !=; null if it is no binary operator. All except comparisons fail
// with invalid_function_invocation if the left operand has no such operator, and with
// invalid_argument if the right one has a wrong type.
BinaryFunction find_binary_operator(std::string_view symbol);
// - ~
UnaryFunction find_unary_operator(std::string_view symbol);

// A fast path for two whole numbers. nullopt if the result does not fit 64 bits or the divisor is
// zero: then the functions above decide.
std::optional<FqlValue> calculate_whole(BinaryOperator op, std::int64_t a, std::int64_t b);

// Numbers only.
FqlValue add_numbers(const FqlValue& a, const FqlValue& b);
FqlValue power_of(const FqlValue& base, const FqlValue& exponent);

// Converts like a cast in Java: truncates towards zero, NaN becomes 0, and values beyond 64 bits
// are clamped.
std::int64_t to_whole(double d);

}  // namespace mayfly::fauna
