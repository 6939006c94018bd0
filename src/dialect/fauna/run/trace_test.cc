// Summaries: the place of a failure, the calls that led to it, and logs.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class TraceTest : public FaunaTest {
 protected:
  // The places in a summary, one per line, without the drawings.
  static std::string places(const std::string& summary) {
    std::string found;
    for (std::size_t at = 0; at < summary.size();) {
      const std::size_t end = std::min(summary.find('\n', at), summary.size());
      const std::string line = summary.substr(at, end - at);
      const bool is_place = line.starts_with("at ") || line.starts_with("hint: ");
      if (is_place || line == "trace:") found += (found.empty() ? "" : "\n") + line;
      at = end + 1;
    }
    return found;
  }
};

TEST_F(TraceTest, CallsThatLedToAnErrorFollowIt) {
  run_steps({{"", R"q(Function.create({name: "inner", body: "x => x.foo.bar"}))q"},
             {"", R"q(Function.create({name: "outer", body: "x => inner(x)"}))q"}});
  EXPECT_EQ(query("let a = 1\nouter({})").summary(),
            "error: Cannot access `bar` on null.\n"
            "at *udf:inner*:1:11\n"
            "  |\n"
            "1 | x => x.foo.bar\n"
            "  |           ^^^^\n"
            "  |\n"
            "at *udf:outer*:1:11\n"
            "  |\n"
            "1 | x => inner(x)\n"
            "  |           ^^^\n"
            "  |\n"
            "at *query*:2:6\n"
            "  |\n"
            "2 | outer({})\n"
            "  |      ^^^^\n"
            "  |");
}

TEST_F(TraceTest, LambdasAreCallsAndShortOnesAreNot) {
  EXPECT_EQ(places(query("[1].map(x => abort(x))").summary()), "at *query*:1:19\nat *query*:1:8");
  EXPECT_EQ(places(query("[1].map(.a.b)").summary()), "at *query*:1:11");
  EXPECT_EQ(places(query("[{ a: null }] { b: .a.b }").summary()), "at *query*:1:22");
}

TEST_F(TraceTest, ComputedFieldsChecksAndFunctionsOfSetsHavePlaces) {
  run_steps({
      {"", R"q(Collection.create({name: "Foo", computed_fields: {c: {body: "d => d.a.b"}},
              constraints: [{check: {name: "n", body: "(.z!.y == 1)"}}]}))q"},
      {"", R"q(Collection.create({name: "Bar", computed_fields: {c: {body: "d => d.a?.b!"}}}))q"},
      {"", R"q(Bar.create({id: 1, a: {b: 2}}).id)q"},
      {"", R"q(Bar.byId(1)!.update({a: null}) == null)q"},
  });
  EXPECT_EQ(places(query("Foo.create({})").summary()),
            "at *check_constraint:n*:1:2\nat *query*:1:11");
  EXPECT_EQ(places(query("Bar.byId(1)!.c").summary()),
            "at *computed_field:Bar:c*:1:6\nat *query*:1:13");
  EXPECT_EQ(places(query("Bar.all().map(d => d.c).toArray()").summary()),
            "at *computed_field:Bar:c*:1:6\nat *query*:1:21\nat *query*:1:32");
}

TEST_F(TraceTest, ANullBoundToANameReportsItsOrigin) {
  EXPECT_EQ(query("let x = null\nx.foo").summary(),
            "error: Cannot access `foo` on null.\n"
            "at *query*:2:2\n"
            "  |\n"
            "2 | x.foo\n"
            "  |  ^^^^\n"
            "  |\n"
            "hint: Null value created here\n"
            "at *query*:1:9\n"
            "  |\n"
            "1 | let x = null\n"
            "  |         ^^^^\n"
            "  |");
  EXPECT_EQ(places(query("let f = x => x!\nlet y = { a: 1 }.b\nf(y)").summary()),
            "at *query*:1:14\nhint: Null value created here\nat *query*:2:9\ntrace:\n"
            "at *query*:3:2");
  EXPECT_EQ(places(query("null!").summary()), "at *query*:1:1") << "it stands there";
}

TEST_F(TraceTest, ATraceHasAnEnd) {
  run_steps({{"", R"q(Function.create({name: "deep", body: "n => deep(n + 1)"}))q"}});
  const Reply reply = query("deep(0)");
  EXPECT_EQ(reply.code(), "stack_overflow");
  const std::string all = places(reply.summary());
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')),
            limits::diagnostic_frames_max);
}

TEST_F(TraceTest, LogsShowTheirOrigin) {
  EXPECT_EQ(query("\nlog(\"foo\", 1)").summary(), "info at *query*:2: foo 1");
  EXPECT_EQ(query("dbg(\"foo\")").summary(),
            "info: \"foo\"\n"
            "at *query*:1:4\n"
            "  |\n"
            "1 | dbg(\"foo\")\n"
            "  |    ^^^^^^^\n"
            "  |");
  EXPECT_EQ(query("log(1)\nlog([2].map(x => x + 1))").summary(),
            "info at *query*:1: 1\n\ninfo at *query*:2: [3]");
  const std::string failed = query("log(1)\nabort(2)").summary();
  EXPECT_TRUE(failed.starts_with("error: Query aborted.\nat *query*:2:6")) << failed;
  EXPECT_TRUE(failed.ends_with("\n\ninfo at *query*:1: 1")) << failed;
}

TEST_F(TraceTest, LogsOfFunctionsAreForAdministratorsAndServers) {
  run_steps({{"", R"q(Database.create({name: "d"}))q"}});
  secret = "secret:d:admin";
  run_steps({{"", R"q(Function.create({name: "noisy", body: "x => { log('inside'); x }"}))q"},
             {"", R"q(Role.create({name: "caller", privileges:
                  [{resource: "noisy", actions: {call: true}}]}))q"}});
  const std::string text = "log(\"outside\")\nnoisy(1)";
  const std::string own = "info at *query*:1: outside";
  EXPECT_EQ(query(text).summary(), own + "\n\ninfo at *udf:noisy*:1: inside");
  secret = "secret:d:server";
  EXPECT_EQ(query(text).summary(), own + "\n\ninfo at *udf:noisy*:1: inside");
  secret = "secret:d:@role/caller";
  const Reply reply = query(text);
  EXPECT_EQ(reply.data(), "1");
  EXPECT_EQ(reply.summary(), own);
}

// The text of a function may contain data that only its role should see.
TEST_F(TraceTest, TextsOfFunctionsAreForThoseWhoMayReadFunctions) {
  run_steps({{"", R"q(Database.create({name: "d"}))q"}});
  secret = "secret:d:admin";
  run_steps({
      {"", R"q(Function.create({name: "inner", body: "x => { x(); let k = null; k.sesame }"}))q"},
      {"", R"q(Function.create({name: "outer", role: "server", body: "x => inner(x)"}))q"},
      {"", R"q(Function.create({name: "all", role: "server", body:
              "() => Set.sequence(0, 9).map(n => if (n < 2) n else n.sesame!).paginate(1).after"}))q"},
      {"", R"q([{role: "caller", read: false}, {role: "one", read: "f => f.name == 'outer'"},
              {role: "reader", read: true}].forEach(r => Role.create({name: r.role, privileges:
              [{resource: "outer", actions: {call: true}}, {resource: "all", actions: {call: true}},
               {resource: "Function", actions: {read: r.read}}]})))q"},
      {"", "all()", "$cursor="},
  });
  const std::string from_cursor = "Set.paginate(Set.paginate(\"" + saved["cursor"] + "\").after!)";
  for (const char* principal : {"admin", "server", "@role/reader"}) {
    secret = std::string("secret:d:") + principal;
    EXPECT_NE(query("outer(() => 1)").summary().find("x => inner(x)"), std::string::npos)
        << principal;
    EXPECT_NE(query(from_cursor).summary().find("n.sesame"), std::string::npos) << principal;
  }
  for (const char* principal : {"@role/caller", "@role/one"}) {
    secret = std::string("secret:d:") + principal;
    EXPECT_EQ(query("outer(() => 1)").summary(),
              "error: Cannot access `sesame` on null.\n"
              "at *udf:inner*:1:28\n"
              "hint: Null value created here\n"
              "at *udf:inner*:1:21\n"
              "trace:\n"
              "at *udf:outer*:1:11\n"
              "at *query*:1:6\n"
              "  |\n"
              "1 | outer(() => 1)\n"
              "  |      ^^^^^^^^^\n"
              "  |");
    const std::string of_cursor = query(from_cursor).summary();
    EXPECT_EQ(places(of_cursor), "at *cursor*:1:27\nat *query*:1:13") << principal;
    EXPECT_EQ(of_cursor.find("n.sesame"), std::string::npos) << of_cursor;
  }
}

TEST_F(TraceTest, LogsHaveAnEnd) {
  const Reply reply = query(
      "let t = Array.sequence(0, 1000).map(x => \"0123456789\").toString()\n"
      "Array.sequence(0, 1000).forEach(x => log(t))");
  EXPECT_EQ(reply.status(), 200);
  EXPECT_TRUE(reply.summary().ends_with("a query logs at most 1048576 bytes"));
  EXPECT_LT(reply.summary().size(), limits::fql_logs_bytes_max + (64 << 10));
}

}  // namespace
}  // namespace mayfly::fauna::testing
