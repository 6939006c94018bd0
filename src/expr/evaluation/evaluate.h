// Expr x Scope -> Value. Pure but for what Foreign does.
#pragma once

#include "expr/evaluation/meter.h"
#include "expr/evaluation/scope.h"
#include "expr/expr.h"

namespace mayfly {

// The value of an expression; missing is a value. Fails as Must and Foreign say, with too_large
// where a value or the sum of what is built would pass a bound, and with timed_out where the meter
// says so.
Result<Value> evaluate(const Expr& expr, const Scope& scope, Meter& meter);

// What a condition is: three-valued, where everything but true and false is unknown.
enum class Truth : std::uint8_t { no, unknown, yes };

// The truth of evaluate(), without making values where a comparison can be decided in the packed
// bytes.
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
