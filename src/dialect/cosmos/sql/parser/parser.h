// The parser: turns text into a tree. The grammar:
//
//   query      := SELECT [DISTINCT] [TOP count] selection [from] [where] [group] [order] [slice]
//   selection  := * | VALUE scalar | item {, item}          item := scalar [[AS] name]
//   from       := FROM source {JOIN source}
//   source     := collection [[AS] name] | name IN collection
//   collection := (name | parameter) path | array path | ( query )
//   path       := { . word | [ number ] | [ text ] }
//   where      := WHERE scalar
//   group      := GROUP BY scalar {, scalar}
//   order      := ORDER BY scalar [ASC | DESC] {, …} | ORDER BY RANK call [ASC | DESC] {, …}
//   slice      := OFFSET count LIMIT count                  count := number | parameter
//
//   scalar     := operation [? scalar : scalar]
//   operation  := operands with operators between and before them, which bind from loose to tight
//                   ??   OR   AND   NOT
//                   [NOT] BETWEEN a AND b, [NOT] IN (…), [NOT] LIKE pattern [ESCAPE text]
//                   ||   |   ^   &   = != <>   < <= > >=   << >> >>>   + -   * / %
//                   + - ~ before an operand
//                 and all from left to right; BETWEEN, IN and LIKE do not follow one another
//   operand    := primary { . word | [ scalar ] }
//   primary    := literal | parameter | name | array | { member, … } | ( scalar ) | subquery | call
//               | {documentdb-formattableorderbyquery-filter}
//   array      := [ scalar, … ]
//   member     := (text | word) : scalar
//   subquery   := ( query ) | (EXISTS | ARRAY | ALL | FIRST | LAST) ( query )
//   call       := [udf .] (name | LEFT | RIGHT) ( scalar, … )
//
// ALL, FIRST and LAST are names, too. A `word` is a name or any keyword; between a point and a
// keyword there is no space. A minus sign that touches a number belongs to it. NaN and Infinity are
// numbers.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos::sql {

// text must be UTF-8. Fails with invalid, also beyond a row of limits.h; the message is what
// refusal() (diagnostic.h) makes.
Result<QueryPtr> parse_query(std::string_view text);

}  // namespace mayfly::cosmos::sql
