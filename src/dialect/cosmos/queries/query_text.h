// A query as sent: {"query": "SELECT …", "parameters": [{"name": "@a", "value": 1}]}, or the text
// alone as JSON. Source: spec cosmos.md, section 14.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct QueryText {
  std::string text;
  Object parameters;

  sql::QueryInput input() const { return {text, parameters}; }
};
// Fails with invalid.
Result<QueryText> parse_query_body(std::string_view body);

Result<sql::QueryPtr> parse_tree(const QueryText& query);

// Parses the text and lowers it for these rows. Fails with invalid.
Result<query::QueryPtr> lower_query(const QueryText& query, const sql::Target& target);

// Whether a document matches a condition: "from c where …". Fails with invalid.
Result<bool> fits(const std::string& condition, const Container& container,
                  const Document& document, Instant now);

}  // namespace mayfly::cosmos
