// Text to tree. The grammar; where a new line may stand otherwise than between statements, it is
// marked ⏎ (it may also stand within all brackets):
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
// An operation with short lambdas is one short lambda. It may be an argument, stand in round
// brackets, or be the value of a field of a projection. A `word` is a name or a keyword.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parsed.h"

namespace mayfly::fauna {

// The root is a Block. The arguments are variables of the whole query. Fails beyond a row of
// limits.h, too.
Parsed<ProgramPtr> parse_query(const Template& query, std::span<const std::string> arguments = {});

// The root is a Lambda: of functions, predicates, checks, computed fields. It captures nothing;
// the outermost frame has no slots.
Parsed<ProgramPtr> parse_lambda(const SourcePtr& source);

// One expression, such as the default value of a field.
Parsed<ProgramPtr> parse_expression(const SourcePtr& source);

// A path to a field: `.a.b[0]["c d"]`.
using PathStep = std::variant<std::string, std::int64_t>;
struct FieldPath {
  std::vector<PathStep> steps;
  Span span = {};
  bool operator==(const FieldPath& other) const { return steps == other.steps; }
};
Parsed<FieldPath> parse_path(const SourcePtr& source);
// As it is written: `.a.b[0]`.
std::string render_path(const FieldPath& path);
// What a short lambda of steps only stands for; the diagnostic where it is none.
tl::expected<FieldPath, Diagnostic> path_of(const Expression& tree);

}  // namespace mayfly::fauna
