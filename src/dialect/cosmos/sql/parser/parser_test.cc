// Queries that the grammar accepts, with their printed form, and refused ones.
#include "dialect/cosmos/sql/parser/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos::sql {
namespace {

using Case = std::pair<std::string, std::string>;
using Cases = std::vector<Case>;

std::string printed(std::string_view text) {
  const auto query = parse_query(text);
  return query ? print(**query) : query.error().message;
}

// The printed form of the query's only value.
std::string value_of(const std::string& scalar) {
  const std::string text = printed("SELECT VALUE " + scalar);
  const std::string_view head = "SELECT VALUE ";
  return text.starts_with(head) ? text.substr(head.size()) : text;
}

void expect_values(const Cases& cases) {
  for (const auto& [scalar, expected] : cases) EXPECT_EQ(value_of(scalar), expected) << scalar;
}

// Each is printed as expected, and parsing and printing that again changes nothing.
void expect_queries(const Cases& cases) {
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(printed(text), expected) << text;
    EXPECT_EQ(printed(expected), expected);
  }
}

std::string error(const std::string& code, std::string_view message, int start, int end) {
  return R"({"errors":[{"severity":"Error","location":{"start":)" + std::to_string(start) +
         R"(,"end":)" + std::to_string(end) + R"(},"code":")" + code + R"(","message":")" +
         std::string(message) + R"("}]})";
}
std::string near(std::string_view token, int start) {
  return error("SC1001", "Syntax error, incorrect syntax near '" + std::string(token) + "'.", start,
               start + static_cast<int>(token.size()));
}
std::string ends_early(int place) {
  return error("SC1001", "Syntax error, unexpected end-of-file.", place, place);
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(SqlParser, TakesEveryClauseInItsPlace) {
  expect_queries({
      {"select distinct top 5 value c from c where true group by c.a order by c.b desc offset 1 "
       "limit 2",
       "SELECT DISTINCT TOP 5 VALUE c FROM c WHERE true GROUP BY c.a ORDER BY c.b DESC OFFSET 1 "
       "LIMIT 2"},
      {"SELECT *", "SELECT *"},
      {"SELECT TOP @n * FROM root", "SELECT TOP @n * FROM root"},
      {"SELECT 1 one, c.a AS first, c.b", "SELECT 1 AS one, c.a AS first, c.b"},
      {"SELECT VALUE 1 OFFSET @o LIMIT @l", "SELECT VALUE 1 OFFSET @o LIMIT @l"},
      {"SELECT * FROM c ORDER BY c.a, c.b ASC, c.c DESC",
       "SELECT * FROM c ORDER BY c.a ASC, c.b ASC, c.c DESC"},
      {"SELECT * FROM c ORDER BY RANK F(c.a), G(c.b) DESC",
       "SELECT * FROM c ORDER BY RANK F(c.a), G(c.b) DESC"},
      {"SELECT TOP 4294967295 * FROM c", "SELECT TOP 4294967295 * FROM c"},
  });
}

TEST(SqlParser, TakesEveryKindOfSource) {
  expect_queries({
      {"SELECT * FROM c", "SELECT * FROM c"},
      {"SELECT * FROM Families f", "SELECT * FROM Families AS f"},
      {"SELECT * FROM c.a[0]['b c'] AS x", R"(SELECT * FROM c.a[0]["b c"] AS x)"},
      {"SELECT * FROM x IN c.items", "SELECT * FROM x IN c.items"},
      {"SELECT * FROM c JOIN x IN c.items JOIN y IN x.parts JOIN (SELECT VALUE 1) z",
       "SELECT * FROM c JOIN x IN c.items JOIN y IN x.parts JOIN (SELECT VALUE 1) AS z"},
      {"SELECT * FROM x IN (SELECT VALUE c.a FROM c)",
       "SELECT * FROM x IN (SELECT VALUE c.a FROM c)"},
      {"SELECT VALUE x FROM x IN [1, 2, [3]]", "SELECT VALUE x FROM x IN [1, 2, [3]]"},
      {"SELECT VALUE x FROM x IN @list", "SELECT VALUE x FROM x IN @list"},
      {"SELECT VALUE x FROM x IN @list.of[1]", "SELECT VALUE x FROM x IN @list.of[1]"},
      {"SELECT * FROM first JOIN last IN first.all", "SELECT * FROM first JOIN last IN first.all"},
  });
}

TEST(SqlParser, ReadsLiterals) {
  expect_values({
      {"[true, false, null, undefined]", "[true, false, null, undefined]"},
      {"[42, 1.5, 1E2, .5, 1., 007, 1e-2, 1e+2]", "[42, 1.5, 100, 0.5, 1, 7, 0.01, 100]"},
      {"[0x1F, 0XfF, 0x7fffffffffffffff, 0x8000000000000000]",
       "[31, 255, 9223372036854775807, 9223372036854776000]"},
      {"[NaN, Infinity, -Infinity, 1e999, -1e999, 1e-999]",
       "[NaN, Infinity, -Infinity, Infinity, -Infinity, 0]"},
      {"[9007199254740993, 1e21, 0.1, 123456789012345678901234567890]",
       "[9007199254740993, 1e+21, 0.1, 1.2345678901234568e+29]"},
  });
}

TEST(SqlParser, DistinguishesASignFromAnOperator) {
  expect_values({
      {"-1", "-1"},
      {"- 1", "(- 1)"},
      {"+1", "(+ 1)"},
      {"-c.a", "(- c.a)"},
      {"-0", "-0.0"},
      {"1-1", "(1 - 1)"},
      {"1 - -1", "(1 - -1)"},
      {"c.a-1", "(c.a - 1)"},
      {"~-1", "(~ -1)"},
      {"- - 1", "(- (- 1))"},
      {"-Infinity", "-Infinity"},
      {"-9223372036854775807", "-9223372036854775807"},
      {"(1).a", "(1).a"},
      {"-1[0]", "(-1)[0]"},
  });
}

TEST(SqlParser, ReadsTexts) {
  expect_values({
      {R"('it\'s')", R"("it's")"},
      {R"("say \"so\"")", R"("say \"so\"")"},
      {R"('a "b" c')", R"("a \"b\" c")"},
      {R"('\\\/\b\f\n\r\t')", R"("\\/\b\f\n\r\t")"},
      {R"('\u0041\u00e9\uD83D\uDE00')", "\"Aé😀\""},
      {R"('\\\'')", R"("\\'")"},
      {"'zwei\nZeilen'", R"("zwei\nZeilen")"},
      {"''", R"("")"},
      {"'-- /* */'", R"("-- /* */")"},
  });
}

TEST(SqlParser, TakesPathsObjectsArraysAndCalls) {
  expect_values({
      {"c.a.b[0]['x y'][@p][c.i + 1]", R"(c.a.b[0]["x y"][@p][(c.i + 1)])"},
      {"{}", "{}"},
      {"{'a': 1, b: [2], \"c d\": {order: 3}}", R"({"a": 1, "b": [2], "c d": {"order": 3}})"},
      {"[]", "[]"},
      {"{a: 1}.a", R"({"a": 1}.a)"},
      {"[1, 2][0]", "[1, 2][0]"},
      {"PI()", "PI()"},
      {"Abs(c.a).b", "Abs(c.a).b"},
      {"LEFT('ab', 1) || right('ab', 1)", R"((LEFT("ab", 1) || right("ab", 1)))"},
      {"udf.f(1, c)", "udf.f(1, c)"},
      {"udf.value(1)", "udf.value(1)"},
      {"udf.f", "udf.f"},
      {"ALL(1)", "ALL(1)"},
      {"@p.a", "@p.a"},
      {"c.été.名前_1", "c.été.名前_1"},
  });
}

// The service refuses c.order. Here a keyword is a name where nothing else is valid.
TEST(SqlParser, TakesKeywordsAsNamesBehindAPoint) {
  expect_values({
      {"c.value.order.null.rank", "c.value.order.null.rank"},
      {"c. field", "c.field"},
      {"c.SELECT", "c.SELECT"},
  });
  EXPECT_EQ(printed("SELECT c.a AS value FROM c"), near("value", 14));
  EXPECT_EQ(printed("SELECT order FROM c"), near("order", 7));
}

TEST(SqlParser, TakesSubqueriesOfEveryKind) {
  expect_values({
      {"(SELECT VALUE 1)", "(SELECT VALUE 1)"},
      {"exists(SELECT * FROM x IN c.a WHERE x)", "EXISTS(SELECT * FROM x IN c.a WHERE x)"},
      {"array (SELECT 1)", "ARRAY(SELECT 1)"},
      {"all(SELECT 1) ", "ALL(SELECT 1)"},
      {"First(SELECT 1).a", "FIRST(SELECT 1).a"},
      {"last(SELECT 1)[0]", "LAST(SELECT 1)[0]"},
      {"((SELECT VALUE 1)) + 1", "((SELECT VALUE 1) + 1)"},
      {"(SELECT VALUE (SELECT VALUE 1))", "(SELECT VALUE (SELECT VALUE 1))"},
  });
}

TEST(SqlParser, BindsOperatorsByRank) {
  expect_values({
      {"1 + 2 * 3 % 4 - 5 / 6", "((1 + ((2 * 3) % 4)) - (5 / 6))"},
      {"1 << 2 + 3 >> 4 >>> 5", "(((1 << (2 + 3)) >> 4) >>> 5)"},
      {"1 < 2 << 3 = true", "((1 < (2 << 3)) = true)"},
      {"a = b <> c != d", "(((a = b) != c) != d)"},
      {"1 | 2 & 3 ^ 4", "(1 | ((2 & 3) ^ 4))"},
      {"a || b | c", "(a || (b | c))"},
      {"a ?? b OR c AND d", "(a ?? (b OR (c AND d)))"},
      {"a ?? b ?? c", "((a ?? b) ?? c)"},
      {"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
      {"a ?? b ? c ?? d : e ?? f", "((a ?? b) ? (c ?? d) : (e ?? f))"},
      {"~a * +b", "((~ a) * (+ b))"},
      {"-a.b[0]", "(- a.b[0])"},
      {"(1 + 2) * 3", "((1 + 2) * 3)"},
      {"((1)) + ((a.b)).c", "(1 + a.b.c)"},
  });
}

TEST(SqlParser, BindsNotLooserThanComparisons) {
  expect_values({
      {"NOT a = b", "(NOT (a = b))"},
      {"NOT a IN (1) AND b", "((NOT (a IN (1))) AND b)"},
      {"NOT NOT a", "(NOT (NOT a))"},
      {"NOT a OR b", "((NOT a) OR b)"},
      {"a = NOT b = c", "(a = (NOT (b = c)))"},
      {"NOT (a) = b", "(NOT (a = b))"},
  });
}

TEST(SqlParser, KeepsAndAndOrFromTheLeft) {
  expect_values({
      {"a AND b AND c OR d OR e AND f", "((((a AND b) AND c) OR d) OR (e AND f))"},
      {"(a AND b) AND c", "((a AND b) AND c)"},
      {"a AND (b AND c)", "(a AND (b AND c))"},
      {"a OR (b OR c) OR d", "((a OR (b OR c)) OR d)"},
  });
  const auto query = parse_query("SELECT VALUE (a AND b) AND c AND (d AND e)");
  const auto& value = std::get<SelectValue>((*query)->selection).value;
  EXPECT_EQ(value->as<Logical>()->operands.size(), 4);
}

TEST(SqlParser, TakesBetweenInAndLike) {
  expect_values({
      {"a BETWEEN 1 AND 2 + 3 AND b", "((a BETWEEN 1 AND (2 + 3)) AND b)"},
      {"a not between 1 and 2", "(a NOT BETWEEN 1 AND 2)"},
      {"a + 1 IN (1, b OR c)", "((a + 1) IN (1, (b OR c)))"},
      {"a NOT IN ('x')", R"((a NOT IN ("x")))"},
      {"a || b LIKE c || '%'", R"(((a || b) LIKE (c || "%")))"},
      {"a LIKE '!%' ESCAPE '!' OR b", R"(((a LIKE "!%" ESCAPE "!") OR b))"},
      {"a NOT LIKE 'é' ESCAPE 'é'", R"((a NOT LIKE "é" ESCAPE "é"))"},
      {"(a IN (1)) = true", "((a IN (1)) = true)"},
      {"a IN ((SELECT VALUE 1))", "(a IN ((SELECT VALUE 1)))"},
  });
}

TEST(SqlParser, SkipsCommentsAndWhiteSpace) {
  EXPECT_EQ(printed("SELECT--all\n*\t/* of\n it */FROM c -- end"), "SELECT * FROM c");
  EXPECT_EQ(printed("SELECT/**/VALUE/* * / */1--"), "SELECT VALUE 1");
}

TEST(SqlParser, TakesThePlaceOfTheOrderByFilter) {
  const std::string text =
      R"(SELECT c._rid FROM c WHERE ((c.a = "x") AND ({documentdb-formattableorderbyquery-filter})))";
  EXPECT_EQ(printed(text), text);
}

TEST(SqlParser, NamesTheTokenThatIsWrong) {
  const Cases cases = {
      {"", ends_early(0)},
      {"  ", ends_early(2)},
      {"Selec *", near("Selec", 0)},
      {"SELECT", ends_early(6)},
      {"SELECT 1,", ends_early(9)},
      {"SELECT 1, FROM c", near("FROM", 10)},
      {"SELECT * FROM", ends_early(13)},
      {"SELECT *, c.a FROM c", near(",", 8)},
      {"SELECT VALUE 1, 2", near(",", 14)},
      {"SELECT VALUE 1 AS one", near("AS", 15)},
      {"SELECT TOP -1 * FROM c", near("-", 11)},
      {"SELECT TOP 'a' * FROM c", near("'a'", 11)},
      {"SELECT TOP 1 DISTINCT c.a FROM c", near("DISTINCT", 13)},
      {"SELECT * FROM c HAVING 1", near("1", 23)},
      {"SELECT * FROM c AS 1", near("1", 19)},
      {"SELECT * FROM c[1 + 1]", near("+", 18)},
      {"SELECT * FROM c[c.a]", near("c", 16)},
      {"SELECT * FROM (c)", near("c", 15)},
      {"SELECT * FROM c JOIN", ends_early(20)},
      {"SELECT * FROM c, d", near(",", 15)},
      {"SELECT * FROM c WHERE", ends_early(21)},
      {"SELECT * FROM c WHERE true, true", near(",", 26)},
      {"SELECT * FROM c ORDER BY c.a GROUP BY c.a", near("GROUP", 29)},
      {"SELECT * FROM c GROUP c.a", near("c", 22)},
      {"SELECT * FROM c ORDER BY RANK 1", near("1", 30)},
      {"SELECT * FROM c OFFSET 1", ends_early(24)},
      {"SELECT * FROM c LIMIT 1", near("LIMIT", 16)},
      {"SELECT * FROM c;", near(";", 15)},
      {"SELECT c.12a FROM c", near(".12a", 8)},
      {"SELECT c. FROM c", near("FROM", 10)},
      {"SELECT VALUE c.a[]", near("]", 17)},
      {"SELECT VALUE -0.E", near("0.E", 14)},
      {"SELECT VALUE 1.2.3", near("1.2.3", 13)},
      {"SELECT VALUE 42 # 1", near("#", 16)},
      {"SELECT VALUE @", near("@", 13)},
      {"SELECT VALUE (1", ends_early(15)},
      {"SELECT VALUE 1)", near(")", 14)},
      {"SELECT VALUE [1,]", near("]", 16)},
      {"SELECT VALUE {a 1}", near("1", 16)},
      {"SELECT VALUE {1: 1}", near("1", 14)},
      {"SELECT VALUE a IN ()", near(")", 19)},
      {"SELECT VALUE a IN (1) = true", near("=", 22)},
      {"SELECT VALUE a IN (1) IN (2)", near("IN", 22)},
      {"SELECT VALUE a NOT b", near("NOT", 15)},
      {"SELECT VALUE a LIKE 'x' ESCAPE '!!'", near("'!!'", 31)},
      {"SELECT VALUE a LIKE 'x' ESCAPE ''", near("''", 31)},
      {"SELECT VALUE 1 BETWEEN 2 AND 3 BETWEEN 4 AND 5", near("BETWEEN", 31)},
      {"SELECT VALUE a ? b", ends_early(18)},
      {"SELECT VALUE EXISTS(1)", near("1", 20)},
      {"SELECT VALUE c.f(1)", near("(", 16)},
      {"SELECT VALUE f(1,)", near(")", 17)},
      {"SELECT VALUE True FROM value", near("value", 23)},
      {"SELECT /* 1", near("/", 7)},
      {"SELECT 'é😀', FROM c", near("FROM", 14)},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(printed(text), expected) << text;
}

TEST(SqlParser, RefusesTextsThatDoNotEndOrEscapeWrongly) {
  const auto invalid = [](std::string_view token, int start, int end) {
    return error("SC1012",
                 "Syntax error, invalid string literal token '" + std::string(token) + "'.", start,
                 end);
  };
  EXPECT_EQ(printed("SELECT 'abc"), invalid("'abc", 7, 11));
  EXPECT_EQ(printed("SELECT 'abc\\'"), invalid("'abc\\\\'", 7, 13));
  EXPECT_EQ(printed("SELECT 'abc\\"), invalid("'abc\\\\", 7, 12));
  EXPECT_EQ(printed("SELECT '\\x'"), invalid("'\\\\x'", 7, 11));
  EXPECT_EQ(printed("SELECT '\\u12'"), invalid("'\\\\u12'", 7, 13));
  EXPECT_EQ(printed("SELECT '\\uD800'"), invalid("'\\\\uD800'", 7, 15));
}

TEST(SqlParser, RefusesCountsThatAreNone) {
  EXPECT_EQ(
      printed("SELECT TOP 4294967296 * FROM c"),
      error("SC2060", "The count value provided for a TOP clause must be an integer.", 11, 21));
  EXPECT_EQ(
      printed("SELECT TOP 1.5 * FROM c"),
      error("SC2060", "The count value provided for a TOP clause must be an integer.", 11, 14));
  EXPECT_EQ(printed("SELECT * OFFSET 4294967296 LIMIT 1"),
            error("SC2062", "The OFFSET count value exceeds the maximum allowed value.", 16, 26));
  EXPECT_EQ(printed("SELECT * OFFSET 1 LIMIT 99999999999999999999"),
            error("SC2061", "The LIMIT count value exceeds the maximum allowed value.", 24, 44));
}

TEST(SqlParser, ShowsLongTokensInPart) {
  const std::string message = printed("SELECT * FROM c " + repeated("é", 1'000) + " 1 x");
  EXPECT_THAT(message, ::testing::HasSubstr("near '1'"));
  const std::string cut = printed("SELECT * FROM c d " + repeated("é", 1'000));
  EXPECT_THAT(cut, ::testing::HasSubstr("near '" + repeated("é", 50) + "'."));
  EXPECT_THAT(cut, ::testing::HasSubstr(R"({"start":18,"end":1018})"));
}

// --- bounds ---

void expect_refused(const std::string& text, std::string_view message) {
  const auto query = parse_query(text);
  ASSERT_FALSE(query.has_value());
  EXPECT_EQ(query.error().code, Code::invalid);
  EXPECT_THAT(query.error().message, ::testing::HasSubstr(message));
}

TEST(SqlParser, BoundsTheDepthOfQueries) {
  const std::size_t most = limits::sql_query_depth_max;
  const std::string_view deep = "The query is nested more than 200 levels deep.";
  const auto nested = [](std::string_view open, std::size_t times, std::string_view close) {
    return repeated(open, times) + "1" + repeated(close, times);
  };
  // The value and the query are levels, too.
  const Cases shapes = {{"[", "]"},       {"f(", ")"},  {"{a:", "}"},    {"- ", ""},
                        {"1 + (", ")"},   {"NOT ", ""}, {"", "[0]"},     {"", " + 1"},
                        {"a ? b : ", ""}, {"a[", "]"},  {"x IN (", ")"}, {"a AND (", ")"}};
  for (const auto& [open, close] : shapes) {
    const std::string taken = "SELECT VALUE " + nested(open, most - 2, close);
    const std::string again = printed(taken);
    EXPECT_EQ(printed(again), again) << open;
    EXPECT_FALSE(again.starts_with("{\"errors\"")) << open << close << again;
    expect_refused("SELECT VALUE " + nested(open, most - 1, close), deep);
    expect_refused("SELECT VALUE " + nested(open, 20'000, close), deep);
  }
  expect_refused(nested("SELECT VALUE (", 20'000, ")"), deep);
  expect_refused(nested("SELECT * FROM (", 20'000, ")"), deep);
  expect_refused("SELECT " + nested("EXISTS(SELECT ", 20'000, ")"), deep);
  EXPECT_EQ(value_of(nested("(", 20'000, ")")), "1");
}

TEST(SqlParser, BoundsTheNumbersOfItsParts) {
  const auto list = [](std::size_t times) { return repeated("1,", times - 1) + "1"; };
  const auto value = [](const std::string& scalar) { return "SELECT VALUE " + scalar; };
  const std::size_t terms = limits::sql_logical_terms_max;
  EXPECT_TRUE(parse_query(value("a" + repeated(" AND a", terms - 1))));
  expect_refused(value("a" + repeated(" AND a", terms)), "AND or OR has more than 2000 operands.");
  const std::string left_deep = printed(value("a" + repeated(" OR a", terms - 1)));
  EXPECT_EQ(printed(left_deep), left_deep);

  EXPECT_TRUE(parse_query(value("a IN (" + list(limits::sql_in_items_max) + ")")));
  expect_refused(value("a IN (" + list(limits::sql_in_items_max + 1) + ")"),
                 "IN has more than 16000 items.");

  const std::string join = " JOIN x IN c.a";
  EXPECT_TRUE(parse_query("SELECT * FROM c" + repeated(join, limits::sql_joins_max)));
  expect_refused("SELECT * FROM c" + repeated(join, limits::sql_joins_max + 1),
                 "The query has more than 10 JOINs.");

  EXPECT_TRUE(parse_query(value("[" + list(limits::sql_query_nodes_max - 1) + "]")));
  expect_refused(value("[" + list(limits::sql_query_nodes_max) + "]"),
                 "The query has more than 65536 parts.");

  const std::string query = "SELECT *";
  const std::size_t spaces = limits::sql_query_bytes_max - query.size();
  EXPECT_EQ(printed(query + repeated(" ", spaces)), query);
  expect_refused(query + repeated(" ", spaces + 1), "The query text is longer than 524288 bytes.");
}

// --- the tree ---

TEST(SqlTree, KnowsWhereEachPartStands) {
  const std::string text = "SELECT MAX( c.a ) + 1 FROM c WHERE (c.b = 1) AND c.d";
  const auto query = parse_query(text).value();
  const auto& sum = std::get<SelectList>(query->selection).items[0].value;
  const auto shown = [&](TextRange range) {
    return text.substr(range.start, range.end - range.start);
  };
  EXPECT_EQ(shown(query->range), text);
  EXPECT_EQ(shown(sum->range), "MAX( c.a ) + 1");
  const auto* call = sum->as<Binary>()->left->as<ScalarCall>();
  EXPECT_EQ(shown(call->name_range), "MAX");
  EXPECT_EQ(shown(call->arguments[0]->range), "c.a");
  EXPECT_EQ(shown(query->from[0].range), "c");
}

TEST(SqlTree, NamesValuesWithoutAnAlias) {
  const auto query = parse_query(
      "SELECT c, c.a.b, c['x y'], c[0], c.a + 1 FROM r.children JOIN x IN c.a JOIN (SELECT 1)");
  std::vector<std::string> names;
  for (const SelectItem& item : std::get<SelectList>((*query)->selection).items) {
    names.push_back(implied_name(*item.value).value_or("-"));
  }
  for (const Source& source : (*query)->from) names.push_back(name_of(source).value_or("-"));
  EXPECT_THAT(names, ::testing::ElementsAre("c", "b", "x y", "-", "-", "children", "x", "-"));
}

TEST(SqlTree, IsRewrittenAroundPartsThatItShares) {
  const auto query = parse_query("SELECT * FROM c WHERE c.a = 1 ORDER BY c.b").value();
  Query changed = *query;
  const ScalarPtr root = make_scalar(Name{"c"});
  const ScalarPtr key = query->order_by->items[0].value;
  const ScalarPtr item = make_scalar(ObjectOf{{{"item", key}}});
  changed.selection = SelectList{{{make_scalar(Member{root, "_rid"}), {}},
                                  {make_scalar(ArrayOf{{item}}), "orderByItems"},
                                  {root, "payload"}}};
  changed.where = make_scalar(
      Logical{LogicalOperator::logical_and, {query->where, make_scalar(OrderByFilter{})}});
  EXPECT_EQ(print(*make_query(std::move(changed)), Layout::clauses),
            "SELECT c._rid, [{\"item\": c.b}] AS orderByItems, c AS payload\n"
            "FROM c\n"
            "WHERE ((c.a = 1) AND ({documentdb-formattableorderbyquery-filter}))\n"
            "ORDER BY c.b");
  EXPECT_EQ(print(*query), "SELECT * FROM c WHERE (c.a = 1) ORDER BY c.b ASC");
}

TEST(SqlPrinter, IndentsSubqueriesInClauses) {
  const auto query = parse_query(
      "SELECT TOP 2 c.a FROM c JOIN (SELECT VALUE x FROM x IN (SELECT 0.1)) y GROUP BY c.a");
  EXPECT_EQ(print(**query, Layout::clauses),
            "SELECT TOP 2 c.a\n"
            "FROM c\n"
            "JOIN (\n"
            "    SELECT VALUE x\n"
            "    FROM x IN (\n"
            "        SELECT 0.10000000000000001\n"
            "    )\n"
            ") AS y\n"
            "GROUP BY c.a");
}

TEST(SqlPrinter, PutsNamesThatAreNoneInBrackets) {
  EXPECT_EQ(print(*make_scalar(Member{make_scalar(Name{"c"}), "a-b"})), R"(c["a-b"])");
}

}  // namespace
}  // namespace mayfly::cosmos::sql
