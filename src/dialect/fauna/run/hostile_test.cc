// Queries that mean harm end soon, and say why.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

struct HostileCase {
  const char* label;
  std::string query;
  std::string said;
};

std::string times(std::string_view text, std::size_t n) {
  std::string made;
  for (std::size_t i = 0; i < n; ++i) made += text;
  return made;
}

class HostileTest : public FaunaTest, public ::testing::WithParamInterface<HostileCase> {};

TEST_P(HostileTest, Ends) {
  run_lines({
      {"setup", R"(Collection.create({name: "Foo"}))"},
      {"", R"q(Function.create({name: "loop", body: "n => loop(n + 1)"}))q"},
      {"", R"q(Function.create({name: "fork", body: "n => fork(n + 1) + fork(n + 1)"}))q"},
      {"",
       R"q(Function.create({name: "tree", body: "n => if (n == 0) 0 else tree(n - 1) + tree(n - 1)"}))q"},
      {"", R"q(Function.create({name: "nest", body: "n => [n].map(m => nest(m + 1))"}))q"},
      {"", R"(Function.create({name: "deep", body: "n => if (n == 0) [] else [deep(n - 1)]"}))"},
  });
  const HostileCase& row = GetParam();
  const Instant began = monotonic_now();
  const Reply reply = query(row.query, {{"x-typecheck", "false"}, {"x-query-timeout-ms", "900"}});
  const mayfly::Span took = monotonic_now() - began;
  EXPECT_TRUE(took < mayfly::Span::seconds(20)) << row.label;
  EXPECT_TRUE(reply.said().starts_with(row.said))
      << row.label << ": " << reply.said().substr(0, 500);
  EXPECT_EQ(query("1").said(), "1") << row.label;
}

const std::string shared = "let x = Set.sequence(0, 60).fold([1], (s, n) => [s, s]); ";

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
    {"shared in a set", shared + "[x, x].toSet().paginate(1).after", "440 time_out: "},
    {"shared in a lambda", shared + "Set.sequence(0, 5).map(n => x).paginate(1).after",
     "440 time_out: "},
    {"shared sets compared", shared + "[x].toSet() == [x].toSet()", "440 time_out: "},
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
INSTANTIATE_TEST_SUITE_P(Queries, HostileTest, ::testing::ValuesIn(hostile), [](const auto& row) {
  std::string name = row.param.label;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace mayfly::fauna::testing
