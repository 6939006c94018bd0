// Tree to text. What is printed parses to what prints the same; brackets stand around every
// operation, texts stand in double quotes, keywords are in capitals.
#pragma once

#include <string>

#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos::sql {

enum class Layout : std::uint8_t {
  // One line; ORDER BY states every direction, numbers have the shortest digits that read back.
  line,
  // As query plans write queries: each clause and JOIN on a line of its own, subqueries indented,
  // ORDER BY as it was written, fractions with 17 significant digits.
  clauses,
  // As `line`, with one spelling for what means the same: members in brackets, functions in
  // capitals. For comparing.
  normal
};

std::string print(const Query& query, Layout layout = Layout::line);
std::string print(const Scalar& scalar, Layout layout = Layout::line);

}  // namespace mayfly::cosmos::sql
