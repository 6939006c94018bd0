// Bounds of queries; no text can crash the parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna {
namespace {

Template bounded_query(std::string_view text) {
  return {make_source("*query*", std::string(text)), {}};
}

// The first error; empty if the text is accepted.
std::string refusal_by_bound(std::string_view text) {
  const Template query = bounded_query(text);
  const auto program = parse_query(query);
  return program ? "" : program.error().front().message;
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(FqlBounds, BoundsDepth) {
  const std::size_t deep = limits::fql_depth_max - 2;
  EXPECT_EQ(refusal_by_bound(repeated("(", deep) + "1" + repeated(")", deep)), "");
  for (const auto& [before, after] :
       std::vector<std::pair<std::string, std::string>>{{"(", ")"},
                                                        {"[", "]"},
                                                        {"{a:", "}"},
                                                        {"{", "}"},
                                                        {"f(", ")"},
                                                        {"-", ""},
                                                        {"x => ", ""},
                                                        {"if (a) b else ", ""},
                                                        {"\"#{", "}\""},
                                                        {"a { b: ", "}"},
                                                        {"a?.[", "]"}}) {
    for (const std::size_t times : {std::size_t{302}, std::size_t{100'000}}) {
      const std::string text = repeated(before, times) + "1" + repeated(after, times);
      EXPECT_THAT(refusal_by_bound(text),
                  ::testing::HasSubstr("Expressions are nested more than 300 deep"))
          << before;
    }
  }
  EXPECT_THAT(refusal_by_bound("let a: " + repeated("Array<", 1000) + "Int" + repeated(">", 1000) +
                               "=1; a"),
              ::testing::HasSubstr("nested more than 300 deep"));
}

TEST(FqlBounds, ParsesLongChainsWithoutDepth) {
  for (const std::string_view piece : {" + 1", " || a", ".b", "(1)", "!", "[0]", " ?? 2"}) {
    EXPECT_TRUE(parse_query(bounded_query("a" + repeated(piece, 20'000)))) << piece;
  }
  EXPECT_TRUE(parse_query(bounded_query("let a: Int" + repeated("?", 20'001) + " = 1; a")));
}

TEST(FqlBounds, BoundsHeightAndSize) {
  EXPECT_THAT(refusal_by_bound(repeated("1 ** ", 20'000) + "1"),
              ::testing::HasSubstr("The expression is more than 300 levels high"));
  const std::string higher = repeated("(a ?? b || c && d == e < f | g ^ h & i + j * ", 299);
  EXPECT_THAT(refusal_by_bound(higher + "1" + repeated(")", 299)),
              ::testing::HasSubstr("The expression is more than 300 levels high"));
  const std::string mixed = repeated("(a ?? b || c && d == e < f | g ^ h & i + j * ", 100);
  EXPECT_THAT(refusal_by_bound(mixed + "1" + repeated(")", 100)),
              ::testing::HasSubstr("The expression is more than 300 levels high"));
  EXPECT_THAT(refusal_by_bound("[" + repeated("1,", limits::fql_nodes_max) + "]"),
              ::testing::HasSubstr("more than 400000 expressions"));
  EXPECT_THAT(refusal_by_bound(std::string(limits::fql_bytes_max + 1, ' ')),
              ::testing::HasSubstr("longer than 8388608 bytes"));
}

// Nested lambdas; the innermost uses all variables.
std::string capturing(std::size_t variables, std::size_t lambdas) {
  std::string lets;
  std::string names;
  for (std::size_t i = 0; i < variables; ++i) {
    lets += "let z" + std::to_string(i) + "=1;";
    names += "z" + std::to_string(i) + ",";
  }
  return lets + repeated("(()=>", lambdas) + "[" + names + "]" + repeated(")", lambdas);
}

TEST(FqlBounds, BoundsTheCapturesOfLambdas) {
  const auto refusal = [](std::size_t captures_max) {
    return "The lambdas of the text take more than " + std::to_string(captures_max) +
           " variables from around them";
  };
  // The bound for any text.
  EXPECT_EQ(refusal_by_bound(capturing(10, 100)), "");
  EXPECT_EQ(refusal_by_bound(capturing(100'000, 1)), "");
  // The bound by length.
  const std::string short_text = capturing(100, 140);
  EXPECT_EQ(refusal_by_bound(short_text),
            refusal(limits::fql_captures_of_any_text + short_text.size()));
  // The absolute bound.
  EXPECT_EQ(refusal_by_bound(capturing(16'500, 18)), "");
  EXPECT_EQ(refusal_by_bound(capturing(16'500, 147)),
            refusal(limits::fql_captures_of_any_text + capturing(16'500, 147).size()));
  EXPECT_EQ(refusal_by_bound(capturing(100'000, 140)), refusal(limits::fql_captures_max));
}

TEST(FqlBounds, AcceptsManyNamesOfOneKind) {
  const auto each = [](std::size_t count, std::string_view before, std::string_view after) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text.append(before).append("z" + std::to_string(i)).append(after);
    }
    return text;
  };
  EXPECT_EQ(refusal_by_bound(each(100'000, "let ", "=1\n") + "z1"), "");
  EXPECT_EQ(refusal_by_bound(repeated("let a=1;", 100'000) + "a"), "");
  EXPECT_EQ(refusal_by_bound(repeated("{let a=1;a};", 100'000) + "a"), "");
  EXPECT_EQ(refusal_by_bound("{" + each(100'000, "", ":1,") + "}"), "");
  EXPECT_EQ(refusal_by_bound("(" + each(100'000, "", ",") + ") => z1"), "");
  EXPECT_EQ(refusal_by_bound("let a: {" + each(100'000, "", ":1,") + "} = 1; a"), "");
  EXPECT_EQ(refusal_by_bound("a {" + each(100'000, "", ",") + "}"), "");
  EXPECT_EQ(refusal_by_bound(repeated("x=>", 200) + each(100'000, "z1 + ", " + ") + "x"), "");
}

// Each of many nested defaults conflicts with all enclosing ones.
TEST(FqlBounds, ReportsSomeOfManyDefaults) {
  const std::string text = "let a: " + repeated("{ a: ", 200) + "{" + repeated("b: 1 = 1\n", 1) +
                           "}" + repeated("= 1 }", 200) + " = 1; a";
  const Template query = bounded_query(text);
  const auto program = parse_query(query);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().size(), limits::fql_errors_max);
}

// Every text is accepted, or refused with an error that can be rendered.
TEST(FqlBounds, SurvivesChangedQueries) {
  const std::vector<std::string> samples{
      R"(Foo.create({ id: "1", a: 1_000.5e-3, ttl: Time("3000-01-01T12:00:00Z") })!.ttl)",
      "let x: { a: Int?, *: Any } = { 'a b': -0x1F }\nif (x?.a ?? 1 == 2) x { a, b: .c } else [x]",
      "at (Time.now()) { Foo.where(.a > 1 && .b == \"x#{y}z\").map(x => x.b!) }",
      "<<+END\n  a #{b}\n  c\n  END\n .length + (a, ...b) => { a(1)[2]; /* c */ b }",
  };
  Random random(17);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = samples[random.below(samples.size())];
    for (std::uint64_t edits = 1 + random.below(6); edits > 0; --edits) {
      const std::size_t at = random.below(text.size() + 1);
      const std::string& other = samples[random.below(samples.size())];
      switch (random.below(3)) {
        case 0: text.erase(at, random.below(9)); break;
        case 1: text.insert(at, other.substr(random.below(other.size()), random.below(9))); break;
        default: text.insert(at, 1, static_cast<char>(random.below(256))); break;
      }
    }
    const Template query = bounded_query(text);
    const auto program = parse_query(query);
    if (program) continue;
    ASSERT_FALSE(program.error().empty()) << text;
    EXPECT_THAT(render(program.error()), ::testing::StartsWith("error: ")) << text;
  }
}

}  // namespace
}  // namespace mayfly::fauna
