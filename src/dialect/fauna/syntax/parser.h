// Parses FQL. The grammar; ⏎ marks where a line break is allowed other than between statements (it
// is also allowed within all brackets):
//
//   query      := statements end
//   statements := statement {separator statement} [separator]   the last one is an expression
//   separator  := one or more of ; and the end of a line
//   statement  := let name [: type] = expression | expression
//   expression := if ( expression ) ⏎ expression [⏎ else ⏎ expression]
//               | at ( expression ) ⏎ expression
//               | lambda | operations [projection]
//   lambda     := name => ⏎ expression | ( [name {, name}] [, ... name] ) => ⏎ expression
//   operations := operand {operator ⏎ operand}, which bind from loose to tight
//                   ??   ||   &&   == != =~ !~   > < >= <=   isa   |   ^   &   + -   * / %   **
//                 from left to right, ** from right to left; ?? || && | ^ & may begin a line
//   operand    := (- | ~ | !) operand | primary {step}
//   step       := ⏎ . word | ⏎ ?. (word | (arguments) | [arguments])
//               | (arguments) | [arguments] | !
//   primary    := literal | text | object | { statements } | [ list ] | ( list ) | name
//               | . word | .(arguments) | .[arguments]            a short lambda
//   object     := { [key : expression {, key : expression} [,]] }
//   projection := { field {, field} [,] }     field := name : expression | name [projection]
//
// An operation on short lambdas is itself one short lambda. A short lambda may be an argument,
// stand in parentheses, or be the value of a field of a projection. A `word` is a name or a
// keyword.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parsed.h"

namespace mayfly::fauna {

// The root is a Block. The arguments are variables of the whole query. Also fails if a bound of
// limits.h is exceeded.
Parsed<ProgramPtr> parse_query(const Template& query, std::span<const std::string> arguments = {});

// The root is a Lambda, for functions, predicates, checks and computed fields. It captures nothing;
// the outermost frame has no slots.
Parsed<ProgramPtr> parse_lambda(const SourcePtr& source);

// Parses one expression, such as the default value of a field.
Parsed<ProgramPtr> parse_expression(const SourcePtr& source);

// A path to a field: `.a.b[0]["c d"]`.
using PathStep = std::variant<std::string, std::int64_t>;
struct FieldPath {
  std::vector<PathStep> steps;
  Span span = {};
  bool operator==(const FieldPath& other) const { return steps == other.steps; }
};
Parsed<FieldPath> parse_path(const SourcePtr& source);
// The path in source form: `.a.b[0]`.
std::string render_path(const FieldPath& path);
// The path of a short lambda that consists of steps only; else a diagnostic.
tl::expected<FieldPath, Diagnostic> path_of(const Expression& tree);

}  // namespace mayfly::fauna
