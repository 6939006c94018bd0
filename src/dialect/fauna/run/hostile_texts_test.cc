// Hostile query texts: each is checked and run, or refused, quickly. The parser bounds the steps
// that they take (syntax/bounds_test.cc).
#include "base/threads/thread_time.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

struct HostileText {
  const char* label;
  std::string (*text)();  // made on demand, because each test has its own process
  const char* expected;
};

std::string repeat(std::string_view text, std::size_t n) {
  std::string made;
  for (std::size_t i = 0; i < n; ++i) made += text;
  return made;
}

// The same with that many names.
std::string each_name(std::size_t n, std::string_view before, std::string_view after) {
  std::string made;
  for (std::size_t i = 0; i < n; ++i) {
    made.append(before).append("z" + std::to_string(i)).append(after);
  }
  return made;
}

std::string captures(std::size_t names, std::size_t lambdas) {
  return each_name(names, "let ", "=1;") + repeat("(()=>", lambdas) + "[" +
         each_name(names, "", ",") + "]" + repeat(")", lambdas);
}

class HostileTexts : public FaunaTest, public ::testing::WithParamInterface<HostileText> {};

TEST_P(HostileTexts, EndQuickly) {
  run_steps(
      {{"", R"(Collection.create({name: "Foo", indexes: {byA: {terms: [{field: ".a"}]}}}))"}});
  const HostileText& row = GetParam();
  const std::string text = row.text();
  for (const char* is_typechecked : {"false", "true"}) {
    const Instant began = thread_time();
    const Reply reply =
        query(text, {{"x-typecheck", is_typechecked}, {"x-query-timeout-ms", "900"}});
    EXPECT_TRUE(thread_time() - began < mayfly::Span::seconds(10)) << row.label;
    const std::string result = reply.result();
    EXPECT_TRUE(result.starts_with(row.expected) || result.starts_with("440 time_out: "))
        << row.label << ": " << result.substr(0, 500);
  }
}

const HostileText hostile_texts[] = {
    {"captures", [] { return captures(16'500, 147); }, "invalid_query: "},
    {"many captures", [] { return captures(100'000, 140); }, "invalid_query: "},
    {"some captures", [] { return captures(300, 3); }, "\"[function <lambda>]\""},
    {"captures made often",
     [] {
       return each_name(5'000, "let ", "=1;") + "Array.sequence(0, 16000).map(x => () => [" +
              each_name(5'000, "", ",") + "]).length";
     },
     "value_too_large: "},
    {"captures called often",
     [] {
       return each_name(5'000, "let ", "=1;") + "let f = () => if (false) [" +
              each_name(5'000, "", ",") +
              "] else [1]; Array.sequence(0, 16000).map(x => f()).length";
     },
     "value_too_large: "},
    {"captures of a condition",
     [] {
       return each_name(100'000, "let ", "=1;") + "Foo.where(.a == 1" +
              each_name(200, " || .a == ", "") + ").count()";
     },
     "0"},
    {"variables", [] { return each_name(100'000, "let ", "=1;") + "z1"; }, "1"},
    {"one variable", [] { return repeat("let a=1;", 100'000) + "a"; }, "1"},
    {"blocks", [] { return repeat("{let a=1;a};", 100'000) + "1"; }, "1"},
    {"nested blocks",
     [] { return repeat("{let a=1;", 200) + repeat("a;", 100'000) + "a" + repeat("}", 200); }, "1"},
    {"fields", [] { return "{" + each_name(100'000, "", ":1,") + "}.z99999"; }, "1"},
    {"parameters", [] { return "(" + each_name(100'000, "", ",") + ") => z1"; },
     "\"[function <lambda>]\""},
    {"steps", [] { return "let a: Any = {a: null}; a" + repeat("?.a", 100'000); }, "null"},
    {"types", [] { return "let a: " + each_name(100'000, "\"", "\" | ") + "1 = 1; a"; }, "1"},
    {"alternatives", [] { return "[1]" + each_name(50'000, " ?? [\"", "\"]"); }, "[1]"},
    {"defaults",
     [] {
       return "let a: " + repeat("{a:", 250) + "{" + each_name(80'000, "", ":1=1,") + "}" +
              repeat("=1}", 250) + " = 1; a";
     },
     "invalid_query: "},
    {"update",
     [] {
       return "Foo.create({" + each_name(30'000, "a", ":1,") + "}).update({" +
              each_name(30'000, "b", ":1,") + "}).bz1";
     },
     "1"},
};

std::string label_of(const ::testing::TestParamInfo<HostileText>& row) {
  std::string label = row.param.label;
  for (char& c : label) c = c == ' ' ? '_' : c;
  return label;
}
INSTANTIATE_TEST_SUITE_P(Texts, HostileTexts, ::testing::ValuesIn(hostile_texts), label_of);

}  // namespace
}  // namespace mayfly::fauna::testing
