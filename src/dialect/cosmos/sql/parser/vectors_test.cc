// The vendor's baselines of its parser and its query plans (sql/vendor_vectors.h).
#include <gtest/gtest.h>

#include <map>

#include "dialect/cosmos/sql/parser/parser.h"
#include "dialect/cosmos/sql/print.h"
#include "dialect/cosmos/sql/vendor_vectors.h"

namespace mayfly::cosmos::sql {
namespace {

using testing::text_in;

// Mayfly's printed form of queries that it prints differently, or that the vendor's test refuses.
using Exceptions = std::map<std::string, std::string>;  // by the query

const Exceptions& sql_exceptions() {
  static const Exceptions rows = {
      // The vendor's printer leaves a blank behind GROUP BY, and puts two before LIKE.
      {"SELECT * GROUP BY 1", "SELECT * GROUP BY 1"},
      {"SELECT * GrOuP By 1", "SELECT * GROUP BY 1"},
      {"SELECT * GROUP BY 1, 2, 3", "SELECT * GROUP BY 1, 2, 3"},
      {"SELECT c.age NOT LIKE 'a!%' ESCAPE '!'", R"(SELECT (c.age NOT LIKE "a!%" ESCAPE "!"))"},
      // The vendor's client keeps most escapes as they are, as text of two characters; the service
      // reads them.
      {R"(SELECT VALUE ['\"DoubleQuote', '\\ReverseSolidus', '\/solidus', '\bBackspace', '\fSeparatorFeed', '\nLineFeed', '\rCarriageReturn', '\tTab', '\u1234'])",
       R"(SELECT VALUE ["\"DoubleQuote", "\\ReverseSolidus", "/solidus", "\bBackspace", "\fSeparatorFeed", "\nLineFeed", "\rCarriageReturn", "\tTab", "ሴ"])"},
      {R"(SELECT VALUE ["'SingleQuote", "\"DoubleQuote", "\\ReverseSolidus", "\/solidus", "\bBackspace", "\fSeparatorFeed", "\nLineFeed", "\rCarriageReturn", "\tTab", "\u1234"])",
       R"(SELECT VALUE ["'SingleQuote", "\"DoubleQuote", "\\ReverseSolidus", "/solidus", "\bBackspace", "\fSeparatorFeed", "\nLineFeed", "\rCarriageReturn", "\tTab", "ሴ"])"},
      {R"(SELECT VALUE ['\"', '\"\"', '\\', '\\\\', '\/', '\/\/', '\b', '\b\b', '\f', '\f\f', '\n', '\n\n', '\r', '\r\r', '\t', '\t\t', '\u1234', '\u1234\u1234'])",
       R"(SELECT VALUE ["\"", "\"\"", "\\", "\\\\", "/", "//", "\b", "\b\b", "\f", "\f\f", "\n", "\n\n", "\r", "\r\r", "\t", "\t\t", "ሴ", "ሴሴ"])"},
      {R"(SELECT VALUE ["\"", "\"\"", "\\", "\\\\", "\/", "\/\/", "\b", "\b\b", "\f", "\f\f", "\n", "\n\n", "\r", "\r\r", "\t", "\t\t", "\u1234", "\u1234\u1234"])",
       R"(SELECT VALUE ["\"", "\"\"", "\\", "\\\\", "/", "//", "\b", "\b\b", "\f", "\f\f", "\n", "\n\n", "\r", "\r\r", "\t", "\t\t", "ሴ", "ሴሴ"])"},
      // Their grammar is right; the plan refuses them.
      {"SELECT MIN(c.blah) / 2 FROM c", "SELECT (MIN(c.blah) / 2) FROM c"},
      {"SELECT MIN(c.blah) + MAX(c.blah) FROM c", "SELECT (MIN(c.blah) + MAX(c.blah)) FROM c"},
      {"SELECT MIN(c.blah) / 2, MAX(c.blah) / 2 FROM c",
       "SELECT (MIN(c.blah) / 2), (MAX(c.blah) / 2) FROM c"},
      {"SELECT MIN(c.blah), MAX(c.blah) / 2 FROM c",
       "SELECT MIN(c.blah), (MAX(c.blah) / 2) FROM c"},
  };
  return rows;
}

// Errors that a plan finds in a query whose grammar is right.
bool is_of_the_plan(const std::string& error) {
  return error.starts_with("{") && error.find("SC1001") == std::string::npos &&
         error.find("SC206") == std::string::npos;
}

TEST(SqlVectors, OfTheParserArePrintedOrRefusedAsTheyAre) {
  if (!testing::are_vendor_vectors_due()) GTEST_SKIP() << "the vendor's data are not here";
  const auto vectors = testing::read_vectors(testing::vendor_folder() + "/parser.jsonl");
  std::size_t excepted = 0;
  for (const Value& vector : vectors) {
    const std::string text = text_in(vector, "query");
    const auto query = parse_query(text);
    const auto exception = sql_exceptions().find(text);
    if (exception != sql_exceptions().end()) {
      ++excepted;
      EXPECT_EQ(query ? print(**query) : query.error().message, exception->second);
    } else if (vector.member("ok").is_true()) {
      EXPECT_EQ(query ? print(**query) : query.error().message, text_in(vector, "printed"));
    } else {
      EXPECT_EQ(query.has_value(), is_of_the_plan(text_in(vector, "error"))) << text;
    }
  }
  EXPECT_EQ(excepted, sql_exceptions().size());
}

TEST(SqlVectors, OfQueryPlansParseAndTheirRewrittenQueriesArePrintedAsTheyAre) {
  if (!testing::are_vendor_vectors_due()) GTEST_SKIP() << "the vendor's data are not here";
  const auto vectors = testing::read_vectors(testing::vendor_folder() + "/queryplan.jsonl");
  std::size_t rewritten = 0;
  for (const Value& vector : vectors) {
    const std::string text = text_in(vector, "query");
    const std::string error = text_in(vector, "error");
    const auto query = parse_query(text);
    const bool is_refused = error.starts_with(R"({"errors")") && !is_of_the_plan(error);
    EXPECT_EQ(query ? "" : query.error().message, is_refused ? error : "") << text;
    const std::string plan = text_in(vector, "rewrittenQuery");
    if (plan.empty()) continue;
    ++rewritten;
    const auto again = parse_query(plan);
    EXPECT_EQ(again ? print(**again, Layout::clauses) : again.error().message, plan);
  }
  EXPECT_GT(rewritten, 100);
}

}  // namespace
}  // namespace mayfly::cosmos::sql
