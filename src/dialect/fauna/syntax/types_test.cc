// Types: parsed and printed, in source form and in full.
#include "dialect/fauna/syntax/types.h"

#include <gtest/gtest.h>

namespace mayfly::fauna {
namespace {

struct TypeCase {
  std::string text;
  std::string written;
  std::string in_full = {};  // empty: the same as the source form
};

TEST(FaunaTypes, ArePrintedAndParsedAgain) {
  const std::vector<TypeCase> cases{
      {"Any", "Any"},
      {"Never", "Never"},
      {"Int", "Int"},
      {"String?", "String?", "String | Null"},
      {"(Int?)?", "Int?", "Int | Null"},
      {"Int ?", "Int?", "Int | Null"},
      {"A|B | C", "A | B | C"},
      {"A & B | C & D", "A & B | C & D"},
      {"(A | B) & C", "(A | B) & C"},
      {"(A | B)?", "(A | B)?", "A | B | Null"},
      {"(A & B)?", "(A & B)?", "A & B | Null"},
      {"A? & B", "A? & B", "(A | Null) & B"},
      {"A | B?", "A | B?", "A | B | Null"},
      {"1 | -2 | 'a' | \"b\" | true | false", R"(1 | -2 | "a" | "b" | true | false)"},
      {"Array<Set<Int?>>", "Array<Set<Int?>>", "Array<Set<Int | Null>>"},
      {"Ref<User>", "Ref<User>"},
      {"Map<A, B,>", "Map<A, B>"},
      {"FQL.Time", "FQL.Time"},
      {"[A, B]", "[A, B]"},
      {"(A, B)", "[A, B]"},
      {"()", "[]"},
      {"{}", "{}"},
      {"{ a: Int, 'b c': String?, *: Any }", R"({ a: Int, "b c": String?, *: Any })",
       R"({ a: Int, "b c": String | Null, *: Any })"},
      {"{ a: Int\n if: B; c: { d: E }, ... }", R"({ a: Int, "if": B, c: { d: E }, ... })"},
      {"A => B", "A => B"},
      {"(A) => B", "A => B"},
      {"() => B", "() => B"},
      {"(A, B) => C => D", "(A, B) => C => D"},
      {"(A => B) => C", "(A => B) => C"},
      {"(a: A, b: ...B) => C", "(a: A, b: ...B) => C"},
      {"(...A) => B", "(...A) => B"},
      {"(a: A) => B", "(a: A) => B"},
      {"A | (B => C)", "A | (B => C)"},
      {"(A => B)?", "(A => B)?", "(A => B) | Null"},
  };
  for (const auto& [text, written, in_full] : cases) {
    const SourcePtr source = make_source("*type*", text);
    const auto type = parse_type(source);
    ASSERT_TRUE(type) << text << "\n" << render(type.error());
    EXPECT_EQ(render_type(**type), written);
    EXPECT_EQ(render_type_in_full(**type), in_full.empty() ? written : in_full);
    const SourcePtr again = make_source("*type*", written);
    EXPECT_EQ(render_type(**parse_type(again)), written);
  }
}

TEST(FaunaTypes, AreRefusedWithTheirPlace) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", "1:1 Expected type"},
           {"Array<", "1:7 Expected type"},
           {"Array<>", "1:7 Expected type"},
           {"Array<Int", "1:10 Expected `,` or `>`"},
           {"Int Int", "1:5 Expected end-of-input"},
           {"A |", "1:4 Expected type"},
           {"{ a }", "1:5 Expected `:`"},
           {"{ 1: A }", "1:3 Expected `}` or identifier"},
           {"{ a: A, a: B }", "1:9 Duplicate key"},
           {"{ *: Any, a: B }", "1:11 Wildcard must be the last element in an object"},
           {"{ a: Int = 1 }", "1:12 Default values are not allowed here"},
           {"(a: A, B)", "1:2 Only lambda argument types may be named"},
           {"(A, ...B)", "1:8 Invalid variadic argument"},
           {"(...A, B) => C", "1:5 Invalid variadic argument"},
       }) {
    const SourcePtr source = make_source("*type*", text);
    const auto type = parse_type(source);
    ASSERT_FALSE(type) << text;
    const Diagnostic& first = type.error().front();
    const TextPosition at = position_of(first.span);
    EXPECT_EQ(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + first.message,
              expected)
        << text;
  }
}

}  // namespace
}  // namespace mayfly::fauna
