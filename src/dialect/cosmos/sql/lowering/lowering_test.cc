// Queries without documents, through the parser, lowering and the core.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/database.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/lower.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "query/run.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"

namespace mayfly::cosmos::sql {
namespace {

using ::testing::HasSubstr;

class SqlLowering : public ::testing::Test {
 protected:
  SqlLowering() : database_(*Database::open(store::open_memory(), clock_)) {
    for (const char* json : {R"({"g":1,"v":[1,2],"name":"a"})", R"({"g":1,"v":[3],"name":"A"})",
                             R"({"g":2,"v":[4],"name":"b"})"}) {
      rows_.push_back(*parse_json(json));
    }
  }

  // The rows, or the message and the name of the code.
  std::string rows(const std::string& text, Object parameters = {}) {
    const auto tree = parse_query(text);
    if (!tree) return container_definition(tree.error());
    View view = database_->view();
    const Target target{.rows = query::values(rows_), .now = view.now()};
    const auto lowered = lower(**tree, {text, std::move(parameters)}, target);
    if (!lowered) return container_definition(lowered.error());
    const auto page = query::answer(*lowered, view, {.rows_max = 1'000});
    if (!page) return container_definition(page.error());
    Array all;
    for (const query::QueryRow& row : page->rows) all.push_back(row.whole());
    return render_json(Value(std::move(all)));
  }

 private:
  static std::string container_definition(const Error& error) {
    return std::string(name_of(error.code)) + ": " + error.message;
  }

  ManualClock clock_{Instant::from_seconds(1'800'000'000)};
  std::unique_ptr<Database> database_;
  std::vector<Value> rows_;
};

std::string repeated_text(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_F(SqlLowering, KeysOfAGroupAreKnownInItsSubqueries) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT c.g, (SELECT VALUE c.g) AS z FROM c GROUP BY c.g",
       R"([{"g":1,"z":1},{"g":2,"z":2}])"},
      {"SELECT c.g, (SELECT VALUE c.g + x FROM x IN [10]) AS z FROM c GROUP BY c.g",
       R"([{"g":1,"z":11},{"g":2,"z":12}])"},
      {"SELECT c.v, ARRAY(SELECT VALUE t FROM t IN c.v) AS z FROM c GROUP BY c.v",
       R"([{"v":[1,2],"z":[1,2]},{"v":[3],"z":[3]},{"v":[4],"z":[4]}])"},
      {"SELECT c.v, (SELECT VALUE SUM(t) FROM t IN c.v) AS z FROM c GROUP BY c.v",
       R"([{"v":[1,2],"z":3},{"v":[3],"z":3},{"v":[4],"z":4}])"},
      {"SELECT c.g, ARRAY(SELECT VALUE c.g FROM c IN [7]) AS z FROM c GROUP BY c.g",
       R"([{"g":1,"z":[]},{"g":2,"z":[]}])"},
      {"SELECT c.g, ARRAY(SELECT t, COUNT(1) AS n FROM t IN [1,1,c.g] GROUP BY t) AS z FROM c "
       "GROUP BY c.g",
       R"([{"g":1,"z":[{"t":1,"n":3}]},{"g":2,"z":[{"t":1,"n":2},{"t":2,"n":1}]}])"},
      {"SELECT COUNT(1) AS n, ARRAY(SELECT VALUE t FROM t IN [1]) AS z FROM c",
       R"([{"n":3,"z":[1]}])"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(rows(text), expected) << text;
}

TEST_F(SqlLowering, OtherNamesOfAGroupAreRefusedInItsSubqueriesToo) {
  for (const char* text :
       {"SELECT c.g, ARRAY(SELECT VALUE t FROM t IN c.v) AS z FROM c GROUP BY c.g",
        "SELECT COUNT(1) AS n, EXISTS(SELECT VALUE t FROM t IN c.v) AS z FROM c",
        "SELECT c.g, (SELECT VALUE c) AS z FROM c GROUP BY c.g",
        "SELECT c.g, EXISTS(SELECT * FROM c) AS z FROM c GROUP BY c.g"}) {
    EXPECT_THAT(rows(text), HasSubstr("SC2102")) << text;
  }
  EXPECT_THAT(rows("SELECT COUNT(1) AS n, EXISTS(SELECT VALUE t FROM t IN c.v) AS z FROM c"),
              HasSubstr("'c.v'"));
}

TEST_F(SqlLowering, KeysAreTheSameHoweverTheyAreSpelled) {
  EXPECT_EQ(rows(R"(SELECT c["g"] FROM c GROUP BY c.g)"), R"([{"g":1},{"g":2}])");
  EXPECT_EQ(rows(R"(SELECT c.g FROM c GROUP BY c["g"])"), R"([{"g":1},{"g":2}])");
  EXPECT_EQ(rows(R"(SELECT VALUE UPPER(c["name"]) FROM c GROUP BY Upper(c.name))"), R"(["A","B"])");
  EXPECT_EQ(rows(R"(SELECT VALUE c.v[0] FROM c GROUP BY c.v)"), "[1,3,4]");
}

TEST_F(SqlLowering, AggregatesStandOverNoSubquery) {
  for (const char* text : {"SELECT VALUE SUM((SELECT VALUE 1)) FROM c",
                           "SELECT VALUE SUM(1 + (SELECT VALUE COUNT(t) FROM t IN c.v)) FROM c",
                           "SELECT c.g, COUNT(EXISTS(SELECT 1)) FROM c GROUP BY c.g"}) {
    EXPECT_THAT(rows(text), HasSubstr("SC2101")) << text;
  }
}

TEST_F(SqlLowering, NumbersThatJsonCannotWriteAreLeftOut) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT VALUE 1/0", "[]"},
      {"SELECT VALUE [1/0, 2]", "[[2]]"},
      {"SELECT VALUE {'a': 1/0, 'b': 2}", R"([{"b":2}])"},
      {"SELECT VALUE {'a': [{'b': SQRT(-1)}]}", R"([{"a":[{}]}])"},
      {"SELECT VALUE NaN", "[]"},
      {"SELECT VALUE IS_FINITE_NUMBER(1/0)", "[false]"},
      {"SELECT VALUE TOSTRING(1/0)", R"(["Infinity"])"},
      {"SELECT VALUE (SELECT VALUE -1/0)", "[]"},
      {"SELECT VALUE x FROM x IN [1/0, 1]", "[1,1,1]"},
      {"SELECT VALUE s FROM (SELECT VALUE c.g / 0 FROM c) s", "[]"},
      {"SELECT VALUE SUM(1e308 * c.g) FROM c", "[]"},
      {"SELECT DISTINCT c.g / 0 AS a FROM c", "[{}]"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(rows(text), expected) << text;
}

TEST_F(SqlLowering, TakesWhatTheBoundsOfTheDialectAllow) {
  const std::string pair = R"((c.id = "a" AND c["pk"] = "p") OR )";
  EXPECT_EQ(rows("SELECT VALUE c.g FROM c WHERE " + repeated_text(pair, 1'999) + "c.g = 2"), "[2]");
  EXPECT_EQ(rows("SELECT VALUE ARRAY_CONTAINS([" + repeated_text("7,", 5'000) + "2], c.g) FROM c"),
            "[false,false,true]");
  EXPECT_EQ(rows("SELECT VALUE c.g" + repeated_text(" + 1", 190) + " FROM c"), "[191,191,192]");
  EXPECT_EQ(rows("SELECT VALUE LENGTH(c.name" + repeated_text(" || 'x'", 190) + ") FROM c"),
            "[191,191,191]");
  EXPECT_EQ(rows("SELECT VALUE " + repeated_text("NOT ", 196) + "true"), "[true]");
  EXPECT_EQ(rows("SELECT VALUE 1 WHERE " + repeated_text("-(", 195) + "1" +
                 repeated_text(")", 195) + " = -1"),
            "[1]");
  std::string items;
  for (int i = 0; i < 3'000; ++i) items += (i > 0 ? ",c.g AS a" : "c.g AS a") + std::to_string(i);
  EXPECT_THAT(rows("SELECT " + items + " FROM c"), HasSubstr(R"("a2999":2)"));
}

TEST_F(SqlLowering, RefusesQueriesThatAreTooLargeAsInvalid) {
  const std::string texts[] = {
      "SELECT VALUE 1" + repeated_text(" ", limits::sql_query_bytes_max),
      "SELECT VALUE " + repeated_text("[", 300) + repeated_text("]", 300),
      "SELECT VALUE 1 FROM c" + repeated_text(" JOIN x IN c.v", 11),
      "SELECT VALUE " + repeated_text("(", 60) + "c.g" + repeated_text(" BETWEEN 1 AND 2)", 60) +
          " FROM c",
      "SELECT VALUE " + repeated_text("CONTAINS('a', 'b', ", 60) + "c.g" + repeated_text(")", 60) +
          " FROM c",
      "SELECT * FROM c ORDER BY c.g" + repeated_text(", c.g", 20),
  };
  for (const std::string& text : texts) {
    const std::string container_definition = rows(text);
    EXPECT_TRUE(container_definition.starts_with(R"(invalid: {"errors":[)"))
        << text.substr(0, 40) << container_definition;
    EXPECT_EQ(container_definition.find("_max"), std::string::npos) << container_definition;
  }
}

TEST_F(SqlLowering, TheLeastWholeNumberIsOne) {
  EXPECT_EQ(rows("SELECT VALUE -9223372036854775808"), "[-9223372036854775808]");
  EXPECT_EQ(rows("SELECT VALUE IS_INTEGER(-9223372036854775808)"), "[true]");
}

TEST_F(SqlLowering, LengthsBeyondAllWholeNumbersAreAsGoodAsTheGreatest) {
  EXPECT_EQ(rows("SELECT VALUE LEFT('abc', 1e20)"), R"(["abc"])");
  EXPECT_EQ(rows("SELECT VALUE RIGHT('abc', 1e20)"), R"(["abc"])");
  EXPECT_EQ(rows("SELECT VALUE LEFT('abc', -1e20)"), R"([""])");
  EXPECT_EQ(rows("SELECT VALUE SUBSTRING('abc', 1, 1e20)"), R"(["bc"])");
  EXPECT_EQ(rows("SELECT VALUE SUBSTRING('abc', 1e20, 1)"), R"([""])");
  EXPECT_EQ(rows("SELECT VALUE ARRAY_SLICE([1,2,3], -1e20, 1e20)"), "[[1,2,3]]");
  EXPECT_EQ(rows("SELECT VALUE LEFT('abc', 1.5)"), "[]");
}

}  // namespace
}  // namespace mayfly::cosmos::sql
