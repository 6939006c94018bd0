// An expression as one line of text, for explain, fingerprints of queries and tests:
//   .price > 3 and (@id in ["a", "b"] or any($1 in .tags: $1 = "x")) and not .done
#pragma once

#include <string>

#include "expr/expr.h"

namespace mayfly {

std::string render(const Expr& expr);
// A value as part of an expression: JSON; missing, nan, infinity; time("…"), date("…"),
// binary("…"), reference("…", "…").
std::string render_literal(const Value& value);

}  // namespace mayfly
