// Hostile queries end soon, with a reason.
#include "base/threads/thread_time.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

// Stands for either of two bounds; which one is reached first depends on the machine.
constexpr std::string_view bound = "bound";

struct HostileCase {
  const char* label;
  std::string query;
  std::string expected;
};

std::string times(std::string_view text, std::size_t n) {
  std::string made;
  for (std::size_t i = 0; i < n; ++i) made += text;
  return made;
}

class HostileTest : public FaunaTest, public ::testing::WithParamInterface<HostileCase> {};

TEST_P(HostileTest, Ends) {
  run_steps({
      {"setup",
       R"(Collection.create({name: "Foo", indexes: {byA: {terms: [{field: ".a"}], values: [{field: ".n"}]}}}))"},
      {"", R"q(Function.create({name: "loop", body: "n => loop(n + 1)"}))q"},
      {"", R"q(Function.create({name: "fork", body: "n => fork(n + 1) + fork(n + 1)"}))q"},
      {"",
       R"q(Function.create({name: "tree", body: "n => if (n == 0) 0 else tree(n - 1) + tree(n - 1)"}))q"},
      {"", R"q(Function.create({name: "nest", body: "n => [n].map(m => nest(m + 1))"}))q"},
      {"", R"(Function.create({name: "deep", body: "n => if (n == 0) [] else [deep(n - 1)]"}))"},
  });
  const HostileCase& row = GetParam();
  const Instant began = thread_time();
  const Reply reply = query(row.query, {{"x-typecheck", "false"}, {"x-query-timeout-ms", "900"}});
  const mayfly::Span took = thread_time() - began;
  EXPECT_TRUE(took < mayfly::Span::seconds(10)) << row.label;
  const std::string result = reply.result();
  const bool is_as_expected = row.expected == bound ? result.starts_with("value_too_large: ") ||
                                                          result.starts_with("440 time_out: ")
                                                    : result.starts_with(row.expected);
  EXPECT_TRUE(is_as_expected) << row.label << ": " << result.substr(0, 500);
  EXPECT_EQ(query("1").result(), "1") << row.label;
}

// A value that takes little memory but is practically endless to traverse.
const std::string shared = "let x = Set.sequence(0, 60).fold([1], (s, n) => [s, s]); ";
// A text of 8 MiB.
const std::string large = "let s = Set.sequence(0, 23).fold(\"x\", (s, n) => s + s); ";
const std::string each = "Array.sequence(0, 16000).map(n => ";

// A function that calls itself, with many variables or a long list in each call.
std::string many_variables() {
  std::string lets;
  for (int i = 0; i < 20'000; ++i) lets += "let a" + std::to_string(i) + " = 1; ";
  return "let f = (g, n) => { " + lets + " g(g, n + 1) }; f(f, 0)";
}

const HostileCase hostile[] = {
    {"lambdas", times("(x => ", 2'000) + "1" + times(")", 2'000), "invalid_query: "},
    {"calls", times("[1].map(x => ", 200) + "1" + times(")", 200), ""},
    {"parentheses", times("(", 100'000), "invalid_query: "},
    {"negations", times("!", 100'000) + "true", "invalid_query: "},
    {"arrays", times("[", 5'000) + times("]", 5'000), "invalid_query: "},
    {"chain", "{a: 1}" + times(".a", 20'000), "invalid_null_access: "},
    {"texts", "Set.sequence(0, 100).fold(\"x\", (s, n) => s + s)", "value_too_large: "},
    {"concat", "let a = [1]; Set.sequence(0, 60).fold(a, (s, n) => s.concat(s)).length",
     "value_too_large: "},
    {"shared", "Set.sequence(0, 100).fold([1], (s, n) => [s, s])", ""},
    {"objects", "Set.sequence(0, 40).fold({a: 1}, (s, n) => {a: s, b: s}) == 1", ""},
    {"compared", "let f = () => Set.sequence(0, 60).fold([1], (s, n) => [s, s]); f() == f()", ""},
    {"written", "Foo.create({a: Set.sequence(0, 60).fold([1], (s, n) => [s, s])})", ""},
    {"shared in a set", shared + "[x, x].toSet().paginate(1).after", std::string(bound)},
    {"shared in a lambda", shared + "Set.sequence(0, 5).map(n => x).paginate(1).after",
     std::string(bound)},
    {"shared sets compared", shared + "[x].toSet() == [x].toSet()", std::string(bound)},
    {"deep values", "Set.sequence(0, 100000).fold([1], (s, n) => [s])", ""},
    {"deep values compared",
     "let f = () => Set.sequence(0, 100000).fold([1], (s, n) => [s]); f() == f()", ""},
    {"deep values written", "Foo.create({a: Set.sequence(0, 5000).fold([1], (s, n) => [s])})", ""},
    {"deep text", "Set.sequence(0, 100000).fold([1], (s, n) => [s]).toString()", ""},
    {"deep sets", "Set.sequence(0, 100000).fold([1].toSet(), (s, n) => s.where(x => true)).count()",
     ""},
    {"deep concat", "Set.sequence(0, 100000).fold([1].toSet(), (s, n) => s.concat(s)).count()", ""},
    {"deep closures", "Set.sequence(0, 100000).fold(() => 1, (f, n) => () => f())()",
     "value_too_large: "},
    {"sequence", "Set.sequence(0, 2000000000).toArray()", "value_too_large: "},
    {"counted", "Set.sequence(0, 2000000000).count()", "440 time_out: "},
    {"flat", "let s = Set.sequence(0, 100000); s.flatMap(a => s.flatMap(b => s)).count()",
     "440 time_out: "},
    {"none found", "Set.sequence(0, 2000000000).where(n => n < 0).first()", "440 time_out: "},
    {"recursion", "loop(0)", "stack_overflow: number of stack frames exceeded limit of 2048"},
    {"fork", "fork(0)", "stack_overflow: "},
    {"tree", "tree(60)", "440 time_out: "},
    {"nested callbacks", "nest(0)", "stack_overflow: "},
    {"deep arrays", "deep(900)", "value_too_large: "},
    {"self", "let f = g => g(g); f(f)", "stack_overflow: "},
    {"writes", "Set.sequence(0, 2000000000).forEach(n => Foo.create({n: n}))", "440 time_out: "},
    {"growing", "Foo.create({}); Foo.all().forEach(d => Foo.create({}))", ""},
    {"ids", "Foo.create({id: " + times("9", 400) + "})", ""},
    {"regex", "\"" + times("a", 5'000) + "!\".matches(\"(a+)+$\")", ""},
};

std::string name_of_case(const ::testing::TestParamInfo<HostileCase>& row) {
  std::string name = row.param.label;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Queries, HostileTest, ::testing::ValuesIn(hostile), name_of_case);

// --- every traversal of a value ---
const HostileCase walks[] = {
    {"less", shared + "x < x", "440 time_out: "},
    {"greater or equal", shared + "x >= x", "440 time_out: "},
    {"equal", shared + "x == x", "440 time_out: "},
    {"not equal", shared + "x != x", "440 time_out: "},
    {"members equal", shared + "{a: x} == {a: x}", "440 time_out: "},
    {"members less", shared + "{a: x} < {a: x}", "440 time_out: "},
    {"includes", shared + "[x].includes(x)", "440 time_out: "},
    {"includes within", shared + "[[0], [x]].includes([x])", "440 time_out: "},
    {"indexOf", shared + "[x].indexOf(x)", "440 time_out: "},
    {"lastIndexOf", shared + "[x].lastIndexOf(x)", "440 time_out: "},
    {"order", shared + "[x, x].order()", "440 time_out: "},
    {"order by", shared + "[1, 2].order(n => x)", "440 time_out: "},
    {"order desc", shared + "[1, 2].order(desc(n => x))", "440 time_out: "},
    {"distinct", shared + "[x, x].distinct()", "440 time_out: "},
    {"set includes", shared + "[x].toSet().includes(x)", "440 time_out: "},
    {"set order", shared + "[x, x].toSet().order().count()", "440 time_out: "},
    {"set order by", shared + "[1, 2].toSet().order(n => x).count()", "440 time_out: "},
    {"set distinct", shared + "[x, x].toSet().distinct().count()", "440 time_out: "},
    {"assigned", shared + "Object.assign({a: 1}, {a: x}).a == x", "440 time_out: "},
    {"entries", shared + "Object.fromEntries([[\"a\", x]]).a == x", "440 time_out: "},
    {"concatenated", shared + "[x].concat([x]) == [x, x]", "440 time_out: "},
    {"shown", shared + "x", std::string(bound)},
    {"shown in a set", shared + "Set.single(x)", std::string(bound)},
    {"text", shared + "\"#{x}\"", std::string(bound)},
    {"toString", shared + "x.toString()", std::string(bound)},
    {"object toString", shared + "Object.toString({a: x})", std::string(bound)},
    {"log", shared + "log(x)", std::string(bound)},
    {"dbg", shared + "dbg(x)", std::string(bound)},
    {"abort", shared + "abort(x)", std::string(bound)},
    {"projected", shared + "[{a: x}] { a }", std::string(bound)},
    {"created", shared + "Foo.create({a: x})", std::string(bound)},
    {"updated", shared + "Foo.create({}).update({a: x})", std::string(bound)},
    {"replaced", shared + "Foo.create({}).replace({a: x})", std::string(bound)},
    {"defined", shared + "Function.create({name: \"g\", body: \"x => x\", data: {x: x}})",
     std::string(bound)},
    {"page size", shared + "Foo.all().paginate(x)", std::string(bound)},
    {"index term", shared + "Foo.byA(x).first()", std::string(bound)},
    {"index range", shared + "Foo.byA(1, {from: [x]}).first()", std::string(bound)},
    {"event source", shared + "Foo.where(d => d.a == x).eventSource()", std::string(bound)},
    {"set of a set", shared + "[[x].toSet()].toSet().paginate(1)", ""},
    {"called", "loop(" + times("[", 250) + times("]", 250) + ")", ""},
};
INSTANTIATE_TEST_SUITE_P(Walks, HostileTest, ::testing::ValuesIn(walks), name_of_case);

// --- memory ---
const HostileCase heaps[] = {
    {"names", large + each + "Collection.byName(s)).length", std::string(bound)},
    {"missing fields", large + each + "{a: 1}[s]).length", std::string(bound)},
    {"member names", large + "let o = Object.fromEntries([[s, 1]]); " + each + "o)",
     std::string(bound)},
    {"texts in arrays", large + each + "s + n.toString()).length", std::string(bound)},
    {"templates", large + "\"" + times("#{s}", 100) + "\"", std::string(bound)},
    {"lines", large + "log(" + times("s, ", 100) + "s)", std::string(bound)},
    {"cursors", large + each + "[s, 1].toSet().paginate(1).after).length", std::string(bound)},
    {"event sources", large + each + "Foo.where(d => d.a == s).eventSource()).length",
     std::string(bound)},
    {"variables", many_variables(), std::string(bound)},
    {"lists", "let f = (g, n) => [" + times("1, ", 15'000) + "g(g, n + 1)]; f(f, 0)",
     std::string(bound)},
    {"members", "let f = (g, n) => ({ b: g(g, n + 1) }); f(f, 0)", "stack_overflow: "},
    {"closures", each + each + "() => n)).length).length", ""},
    {"deep functions", "Set.sequence(0, 1000000).fold(1, (f, n) => f.toString)",
     std::string(bound)},
    {"deep rest", "Set.sequence(0, 1000000).fold(1, (f, n) => ((...rest) => rest)(f))",
     std::string(bound)},
    {"deep pages", "Set.sequence(0, 1000000).fold(1, (s, n) => Set.single(s).paginate())",
     std::string(bound)},
    {"deep singles", "Set.sequence(0, 1000000).fold(1, (s, n) => Set.single(s))",
     std::string(bound)},
    {"deep projections", "Set.sequence(0, 1000000).fold([1].toSet(), (s, n) => s { a })",
     std::string(bound)},
    {"deep terms", "Set.sequence(0, 1000000).fold(1, (s, n) => Foo.byA(s))", std::string(bound)},
    {"deep ranges", "Set.sequence(0, 1000000).fold(1, (s, n) => Foo.byA(1, {from: s}))",
     std::string(bound)},
    {"deep entries", "Set.sequence(0, 1000000).fold(1, (s, n) => Object.entries({a: s}).first())",
     std::string(bound)},
    {"all text", "Set.sequence(0, 1000).forEach(n => log(" + times("\"x\", ", 1'000) + "1))", ""},
};
INSTANTIATE_TEST_SUITE_P(Heaps, HostileTest, ::testing::ValuesIn(heaps), name_of_case);

// --- long texts and arrays ---
const HostileCase lengths[] = {
    {"counted to the end", "Set.sequence(0, 2147483647).count()", "440 time_out: "},
    {"beyond an Int", "Set.sequence(0, 9000000000000000).count()", ""},
    {"dropped", "Set.sequence(0, 2000000000).drop(1999999999).first()", "440 time_out: "},
    {"last", "Set.sequence(0, 2000000000).last()", "value_too_large: "},
    {"filtered page", "Set.sequence(0, 2000000000).where(n => n < 0).paginate()", "440 time_out: "},
    {"all of it", "Set.sequence(0, 2000000000).every(n => true)", "440 time_out: "},
    {"flat and empty", "Set.sequence(0, 2000000000).flatMap(n => [].toSet()).first()",
     "440 time_out: "},
    {"collections",
     "Set.sequence(0, 2000000000).forEach(n => Collection.create({name: \"C\" + n.toString()}))",
     "440 time_out: "},
    {"functions",
     "Set.sequence(0, 2000000000).forEach(n => Function.create({name: \"f\" + n.toString(), body: "
     "\"x => x\"}))",
     "440 time_out: "},
    {"roles",
     "Set.sequence(0, 2000000000).forEach(n => Role.create({name: \"r\" + n.toString(), "
     "privileges: []}))",
     "440 time_out: "},
    {"keys", "Set.sequence(0, 2000000000).forEach(n => Key.create({role: \"client\"}))",
     "440 time_out: "},
    {"ids in a row", "Set.sequence(0, 2000000000).forEach(n => newId())", "440 time_out: "},
    {"nested templates", times("\"#{", 200) + "1" + times("}\"", 200), ""},
    {"nested lambdas", times("(() => ", 200) + "1" + times(")()", 200), ""},
    {"regex of stars", "\"" + times("x", 10'000) + "\".matches(\"(x+x+)+y\")", "[]"},
    {"regex of choices", "\"" + times("a", 10'000) + "\".includesRegex(\"(a|aa|a?)+$b\")", "false"},
    {"regex of counts", "\"a\".matches(\"((a{1,100}){1,100}){1,100}\")", "invalid_regex: "},
    {"regex for each", each + "\"" + times("a", 1'000) + "\".matches(\"(a*)*b\")).length", ""},
};
INSTANTIATE_TEST_SUITE_P(Lengths, HostileTest, ::testing::ValuesIn(lengths), name_of_case);

// --- bodies ---

TEST_F(FaunaTest, DeepBodiesAreRefused) {
  const std::string deep = times("[", 100'000) + times("]", 100'000);
  const std::string members = times(R"({"a":)", 100'000) + "1" + times("}", 100'000);
  for (const std::string& value : {deep, members, deep.substr(0, 100'000)}) {
    for (const std::string& body :
         {R"({"query":"1","arguments":{"a":)" + value + "}}", R"({"query":)" + value + "}",
          R"({"query":{"value":)" + value + "}}", R"({"query":{"fql":)" + value + "}}", value}) {
      EXPECT_TRUE(query_body(body).result().starts_with("invalid_request: "))
          << body.substr(0, 100);
    }
    for (const char* path : {"/feed/1", "/stream/1"}) {
      for (const std::string& body :
           {R"({"token":)" + value + "}", value, R"({"token":"x","cursor":)" + value + "}"}) {
        EXPECT_EQ(send("POST", path, body).status(), 400) << path << body.substr(0, 100);
      }
    }
  }
  EXPECT_EQ(query("1").result(), "1");
}

TEST_F(FaunaTest, WideBodiesAreAnswered) {
  const std::string wide = "[" + times("[],", 400'000) + "[]]";
  const std::string wider = "[" + times("[],", 2'500'000) + "[]]";
  EXPECT_EQ(query_body(R"({"query":"1","arguments":{"a":)" + wide + "}}").result(), "1");
  EXPECT_TRUE(query_body(R"({"query":"[a, a, a]","arguments":{"a":)" + wide + "}}")
                  .result()
                  .starts_with("value_too_large: "));
  EXPECT_TRUE(query_body(R"({"query":"1","arguments":{"a":)" + wider + "}}")
                  .result()
                  .starts_with("invalid_request: "));
  EXPECT_EQ(send("POST", "/feed/1", R"({"token":)" + wider + "}").status(), 400);
}

TEST_F(FaunaTest, ArgumentsCountAsMade) {
  const std::string numbers = "[" + times("1,", 15'999) + "1]";
  const std::string many = "[" + times(numbers + ",", 199) + numbers + "]";
  const std::string text =
      "let s = Set.sequence(0, 23).fold('x', (s, n) => s + s); "
      "Array.sequence(0, 54).map(n => s + 'x').length";
  const auto with = [&](const std::string& argument) {
    return query_body("{\"query\":\"" + text + "\",\"arguments\":{\"a\":" + argument + "}}",
                      {{"x-format", "simple"}})
        .result();
  };
  EXPECT_EQ(with("1"), "54");
  EXPECT_EQ(with(many),
            "value_too_large: Value too large: the query makes more than 536870912 "
            "bytes.");
}

// Each of many elements is checked against each of many types.
TEST_F(FaunaTest, TypesOfFieldsTakeSteps) {
  std::string type = R"(\"a\")";
  for (int i = 0; i < 800; ++i) type += R"( | \"a)" + std::to_string(i) + R"(\")";
  const std::string made =
      "Collection.create({ name: \"Typed\", fields: { a: { signature: "
      "\"Array<Array<" +
      type + ">>\" } } }).name";
  ASSERT_EQ(query(made).result(), "\"Typed\"");
  const Instant began = thread_time();
  const Reply reply = query(
      "let x = Array.sequence(0, 16000).map(n => \"a799\"); "
      "Typed.create({ a: Array.sequence(0, 60).map(n => x) }).id",
      {{"x-typecheck", "false"}, {"x-query-timeout-ms", "900"}});
  EXPECT_TRUE(reply.result().starts_with("440 time_out: ")) << reply.result().substr(0, 500);
  EXPECT_TRUE(thread_time() - began < mayfly::Span::seconds(5));
}

}  // namespace
}  // namespace mayfly::fauna::testing
