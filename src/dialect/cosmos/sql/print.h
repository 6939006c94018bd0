// The printer: turns a tree into text. The printed text parses to a tree that prints the same.
// Brackets are around every operation, texts are in double quotes, keywords are in capitals.
#pragma once

#include <string>

#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos::sql {

enum class Layout : std::uint8_t {
  // One line; ORDER BY states every direction, numbers have the shortest digits that read back.
  line,
  // As in query plans: each clause and JOIN on a line of its own, subqueries indented, ORDER BY as
  // written, fractions with 17 significant digits.
  clauses,
  // As `line`, with one spelling for equal expressions: members in brackets, functions in capitals.
  // For comparing.
  normal
};

std::string print(const Query& query, Layout layout = Layout::line);
std::string print(const Scalar& scalar, Layout layout = Layout::line);

}  // namespace mayfly::cosmos::sql
