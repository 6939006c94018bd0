// Evaluates expressions in a scope. Pure, except for the effects of Foreign.
#pragma once

#include "expr/evaluation/meter.h"
#include "expr/evaluation/scope.h"
#include "expr/expr.h"

namespace mayfly {

// The value of an expression; missing is a value. Begins a new evaluation of the meter. Fails if a
// Must or a Foreign fails, with too_large if a value or the total of the built values would exceed
// a bound, and with timed_out if the meter does.
Result<Value> evaluate(const Expr& expr, const Scope& scope, Meter& meter);

// The result of a condition. Three-valued: all values except true and false are unknown.
enum class Truth : std::uint8_t { no, unknown, yes };

// The truth of evaluate(); makes no values for comparisons that can be decided in the packed bytes.
Result<Truth> truth(const Expr& expr, const Scope& scope, Meter& meter);

inline Value to_value(Truth t) {
  return t == Truth::unknown ? Value() : Value(t == Truth::yes);
}
inline Truth to_truth(const Value& v) {
  if (!v.is(Kind::boolean)) return Truth::unknown;
  return v.boolean() ? Truth::yes : Truth::no;
}
inline Truth to_truth(bool b) {
  return b ? Truth::yes : Truth::no;
}

}  // namespace mayfly
