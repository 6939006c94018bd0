// Bounds of normal queries: logs, values of abort(), parsed texts, and time.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/logs.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class QueryBoundsTest : public FaunaTest {};

const std::string endless = "let x = Set.sequence(0, 60).fold([1], (s, n) => [s, s]); ";

TEST_F(QueryBoundsTest, ASummaryHoldsSoManyBytesOfLogs) {
  const std::string kilobyte = "Set.sequence(0, 10).fold(\"x\", (s, n) => s + s)";
  const Reply few = query("let s = " + kilobyte + "; Set.sequence(0, 700).forEach(n => log(s))");
  EXPECT_EQ(few.summary().find("left out"), std::string::npos);
  EXPECT_GT(few.summary().size(), 700'000U);
  const Reply many = query("let s = " + kilobyte + "; Set.sequence(0, 3000).forEach(n => log(s))");
  EXPECT_EQ(many.status(), 200);
  EXPECT_LT(many.summary().size(), limits::fql_logs_bytes_max + 1'000);
  EXPECT_TRUE(
      many.summary().ends_with(" more lines were left out: a query logs at most 1048576 bytes"));
  const Reply failed =
      query("let s = " + kilobyte + "; Set.sequence(0, 3000).forEach(n => dbg(s)); abort(1)");
  EXPECT_EQ(failed.code(), "abort");
  EXPECT_LT(failed.summary().size(), limits::fql_logs_bytes_max + 1'000);
  const Reply empty = query("Set.sequence(0, 100000).forEach(n => log())");
  EXPECT_LT(empty.summary().size(), limits::fql_logs_bytes_max + 1'000);
}

TEST_F(QueryBoundsTest, LogsCanBeTruncated) {
  Logs logs;
  logs.add("a");
  const std::size_t before = logs.count();
  logs.add(std::string(limits::fql_logs_bytes_max, 'x'));
  logs.add("b");
  EXPECT_EQ(logs.count(), 3U);
  EXPECT_EQ(logs.lines().back(),
            "info: 2 more lines were left out: a query logs at most 1048576 bytes");
  logs.forget_from(2);
  EXPECT_EQ(logs.lines().back(),
            "info: 1 more line was left out: a query logs at most 1048576 bytes");
  logs.forget_from(before);
  EXPECT_EQ(logs.lines(), std::vector<std::string>{"a"});
  logs.add("c");
  EXPECT_EQ(logs.lines(), (std::vector<std::string>{"a", "c"}));
}

TEST_F(QueryBoundsTest, AbortWithATooLargeValueReportsThat) {
  for (const std::string& value :
       {endless + "abort(x)", endless + "abort({a: [x]})", endless + "abort(Set.single(x))",
        std::string("abort(Set.sequence(0, 200).fold(1, (s, n) => [s]))"),
        endless + "[1].map(n => abort(x))"}) {
    const Reply reply = query(value);
    EXPECT_EQ(reply.status(), 400);
    EXPECT_EQ(reply.code(), "value_too_large") << reply.response.body.substr(0, 300);
    EXPECT_TRUE(reply.text("error.abort").empty());
  }
  const Reply small = query("abort({a: [1]})");
  EXPECT_EQ(small.code(), "abort");
  EXPECT_EQ(small.text("error.abort"), R"({"a":[1]})");
}

TEST_F(QueryBoundsTest, ATextIsParsedOnceInAQuery) {
  // If it were parsed for each document, it would exceed the bound many times.
  const std::string long_body = "doc => { " + std::string(100'000, ' ') + "doc.a + 1 }";
  run_steps({
      {"setup",
       "Collection.create({name: \"Foo\", computed_fields: {b: {body: \"" + long_body + "\"}}})"},
      {"", "Function.create({name: \"f\", body: \"" + long_body + "\"})"},
      {"", "Set.sequence(0, 200).forEach(n => Foo.create({a: n}))"},
      {"", "Foo.all().map(.b).fold(0, (sum, n) => sum + n)", "20100"},
      {"", "Foo.all().toArray().map(d => f(d)).fold(0, (sum, n) => sum + n)", "20100"},
      {"", "Foo.all().toArray().map(d => d.b).length", "200"},
  });
}

// Thousands of function bodies.
TEST_F(QueryBoundsTest, ParsedTextsCountAsMade) {
  const std::string text = "Set.sequence(0, 16).fold(\" \", (s, n) => s + s)";
  std::vector<CaseStep> lines{{"setup", R"(Collection.create({name: "Foo"}))"}};
  lines.push_back({"", "let s = " + text +
                           "; Array.sequence(0, 100).forEach(n => Function.create({name: \"f\" + "
                           "n.toString(), body: \"x => \" + s + \"x\"}))"});
  run_steps(lines);
  std::string calls = "[";
  for (int i = 0; i < 100; ++i) calls += "f" + std::to_string(i) + "(1), ";
  EXPECT_TRUE(query(calls + "0]").result().starts_with("value_too_large: "))
      << query(calls).result();
  EXPECT_EQ(query("[f1(1), f2(1), f1(1)]").result(), "[1,1,1]");
}

TEST_F(QueryBoundsTest, ReadDocumentsCountAsMade) {
  const std::string text = "Set.sequence(0, 20).fold(\"x\", (s, n) => s + s)";
  run_steps({
      {"setup", R"(Collection.create({name: "Foo"}))"},
      {"", "let s = " + text + "; Array.sequence(0, 8).forEach(n => Foo.create({n: n, s: s}))"},
      {"", "Foo.all().map(.s.length).fold(0, (sum, n) => sum + n)", "8388608"},
      {"", "Foo.all().map(.s).toArray().length", "8"},
      {"", "let all = Foo.all(); Array.sequence(0, 100).map(n => all.map(.s).toArray()).length",
       "value_too_large: …"},
      {"", "let all = Foo.all(); Array.sequence(0, 100).map(n => all.map(.data).toArray()).length",
       "value_too_large: …"},
  });
}

// Real time; a client can set at least one millisecond.
TEST_F(QueryBoundsTest, AShortDeadlinePassesBeforeTheResponseAndNothingRuns) {
  run_steps({{"setup", R"(Collection.create({name: "Foo"}))"},
             {"", "Foo.create({id: 1})"},
             {"", "Foo.all().eventSource()", "$source="}});
  for (const char* timeout : {"1", "2"}) {
    const auto least = mayfly::Span::millis(*timeout - '0');
    for (const char* text :
         {"Collection.create({name: \"Bar\"})", "Foo.byId(1)", "1", "1 +", "Foo.create({id: 2})"}) {
      const Instant began = monotonic_now();
      const Reply reply = query(text, {{"x-query-timeout-ms", timeout}});
      EXPECT_TRUE(monotonic_now() - began >= least) << text;
      EXPECT_EQ(
          reply.result(),
          "440 time_out: Client set aggressive deadline: query needs 1000, timed out within " +
              std::string(timeout));
    }
    const Instant began = monotonic_now();
    const Reply fed = send("POST", "/feed/1", "{\"token\":\"" + saved["source"] + "\"}",
                           {{"x-query-timeout-ms", timeout}});
    EXPECT_TRUE(monotonic_now() - began >= least);
    EXPECT_EQ(fed.status(), 440);
    EXPECT_EQ(fed.code(), "time_out");
  }
  EXPECT_EQ(query("[Collection.all().count(), Foo.all().count()]").result(), "[1,1]");
}

TEST_F(QueryBoundsTest, NothingIsCommittedOnceTheDeadlineHasPassed) {
  run_steps({{"setup", R"(Collection.create({name: "Foo"}))"}});
  const Reply reply =
      query("Foo.create({}); Set.sequence(0, 2000000000).count()", {{"x-query-timeout-ms", "20"}});
  EXPECT_EQ(reply.status(), 440);
  EXPECT_EQ(query("Foo.all().count()").result(), "0");
}

}  // namespace
}  // namespace mayfly::fauna::testing
