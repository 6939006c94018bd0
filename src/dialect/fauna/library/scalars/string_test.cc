// Strings: texts, numbers in them, regular expressions.
#include <gtest/gtest.h>

#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

struct StringCase {
  const char* self;
  const char* method;
  Values arguments;
  const char* outcome;
};

void expect_each(std::span<const StringCase> cases) {
  for (const StringCase& c : cases) {
    EXPECT_EQ(of_method(c.self, c.method, c.arguments), c.outcome)
        << c.self << "." << c.method << " " << debug_text(array_of(c.arguments));
  }
}

TEST(FqlStringTest, PositionsAreCodePoints) {
  const StringCase cases[] = {
      {"äöü😀", "length", {}, "4"},
      {"", "length", {}, "0"},
      {"äöü😀", "at", {3}, "\"😀\""},
      {"äöü", "at", {3}, "index_out_of_bounds: index 3 out of bounds for length 3"},
      {"äöü", "at", {-1}, "index_out_of_bounds: index -1 out of bounds for length 3"},
      {"äöü", "indexOf", {"ü"}, "2"},
      {"äöü", "lastIndexOf", {"ö"}, "1"},
      {"äöü", "slice", {1}, "\"öü\""},
      {"äöü", "splitAt", {1}, R"(["ä", "öü"])"},
      {"äöü", "insert", {1, "😀"}, "\"ä😀öü\""},
  };
  expect_each(cases);
}

TEST(FqlStringTest, TextsAreFound) {
  const StringCase cases[] = {
      {"fauna", "startsWith", {"fau"}, "true"},
      {"fauna", "startsWith", {"una"}, "false"},
      {"fauna", "endsWith", {"una"}, "true"},
      {"fauna", "includes", {"un"}, "true"},
      {"fauna", "includes", {""}, "true"},
      {"fauna", "includes", {"x"}, "false"},
      {"banana", "indexOf", {"an"}, "1"},
      {"banana", "indexOf", {"an", 2}, "3"},
      {"banana", "indexOf", {"x"}, "null"},
      {"banana", "indexOf", {"a", 6}, "null"},
      {"bana",
       "indexOf",
       {"a", 4'000},
       "index_out_of_bounds: index 4000 out of bounds for length 4"},
      {"banana", "lastIndexOf", {"an"}, "3"},
      {"banana", "lastIndexOf", {"an", 2}, "1"},
      {"banana", "lastIndexOf", {"an", 3}, "3"},
      {"banana", "lastIndexOf", {"an", 4'000}, "3"},
      {"banana", "lastIndexOf", {"an", -1}, "null"},
  };
  expect_each(cases);
}

TEST(FqlStringTest, SliceTakesAllPositionsAndOthersDoNot) {
  const StringCase cases[] = {
      {"fauna", "slice", {2, 4}, "\"un\""},
      {"fauna", "slice", {-3, 2}, "\"fa\""},
      {"fauna", "slice", {3, 99}, "\"na\""},
      {"fauna", "slice", {4, 2}, "\"\""},
      {"fauna", "splitAt", {5}, R"(["fauna", ""])"},
      {"fauna", "splitAt", {6}, "index_out_of_bounds: index 6 out of bounds for length 5"},
      {"fauna", "insert", {5, "!"}, "\"fauna!\""},
      {"fauna", "insert", {-1, "!"}, "index_out_of_bounds: index -1 out of bounds for length 5"},
      {"", "insert", {0, "!"}, "\"!\""},
  };
  expect_each(cases);
}

TEST(FqlStringTest, ReplacementsAreLiteral) {
  const StringCase cases[] = {
      {"banana", "replace", {"a", "$1"}, R"("b$1nana")"},
      {"banana", "replace", {"a", "o", 2}, R"("bonona")"},
      {"banana", "replace", {"a", "o", 99}, R"("bonono")"},
      {"banana",
       "replace",
       {"a", "o", 0},
       "invalid_argument: invalid argument `count`: must be greater than or equal to 1"},
      {"banana", "replaceAll", {"an", ""}, R"("ba")"},
      {"ab", "replaceAll", {"", "-"}, R"("-a-b-")"},
      {"ab", "replace", {"", "-"}, R"("-ab")"},
  };
  expect_each(cases);
}

TEST(FqlStringTest, SplittingKeepsEmptyParts) {
  const StringCase cases[] = {
      {"f b ", "split", {" "}, R"(["f", "b", ""])"},
      {",a", "split", {","}, R"(["", "a"])"},
      {"", "split", {","}, R"([""])"},
      {"aü", "split", {""}, R"(["a", "ü"])"},
      {"", "split", {""}, "[]"},
  };
  expect_each(cases);
  EXPECT_EQ(of_method(std::string(16'001, 'a'), "split", {""}),
            "value_too_large: Value too large: array size 16001 exceeds limit 16000");
}

TEST(FqlStringTest, LettersChangeTheirCase) {
  const StringCase cases[] = {
      {"Straße", "toUpperCase", {}, "\"STRASSE\""},
      {"ÄÖ", "toLowerCase", {}, "\"äö\""},
      {"Straße", "casefold", {}, "\"strasse\""},
      {"ﬁ", "casefold", {"NFKD"}, "\"fi\""},
      {"ﬁ", "casefold", {"NFD"}, "\"ﬁ\""},
      {"e\u0301", "casefold", {"NFC"}, "\"é\""},
      {"A",
       "casefold",
       {"NFX"},
       "invalid_argument: invalid argument `format`: expected a casefold format (one of "
       "NFKCCaseFold, NFC, NFD, NFKC, or NFKD)"},
      {"a", "concat", {"b"}, "\"ab\""},
      {"a", "toString", {}, "\"a\""},
  };
  expect_each(cases);
}

TEST(FqlStringTest, NumbersAreRead) {
  const StringCase cases[] = {
      {"42", "parseInt", {}, "42"},
      {"+42", "parseInt", {}, "42"},
      {"+-42", "parseInt", {}, "null"},
      {"-2a", "parseInt", {16}, "-42"},
      {"4.2", "parseInt", {}, "null"},
      {"", "parseInt", {}, "null"},
      {" 1", "parseInt", {}, "null"},
      {"2147483648", "parseInt", {}, "null"},
      {"1",
       "parseInt",
       {37},
       "invalid_argument: invalid argument `format`: invalid radix, expected a number from 2-36"},
      {"42", "parseLong", {}, "42L"},
      {"9223372036854775808", "parseLong", {}, "null"},
      {"2.5e3", "parseDouble", {}, "2500.0"},
      {" -.5 ", "parseDouble", {}, "-0.5"},
      {"1e999", "parseDouble", {}, "Math.Infinity"},
      {"1e-999", "parseDouble", {}, "0.0"},
      {"-Infinity", "parseDouble", {}, "-Math.Infinity"},
      {"inf", "parseDouble", {}, "null"},
      {"1x", "parseDouble", {}, "null"},
      {"5", "parseNumber", {}, "5"},
      {"5000000000", "parseNumber", {}, "5000000000L"},
      {"5.5", "parseNumber", {}, "5.5"},
      {"five", "parseNumber", {}, "null"},
  };
  expect_each(cases);
  TestRun run;
  const auto none = call_method(run, *find_method("String", "parseInt"), "x", {});
  EXPECT_EQ(none->null().cause, NullCause::invalid_number);
}

TEST(FqlStringTest, RegularExpressionsMatch) {
  const StringCase cases[] = {
      {"fauna", "includesRegex", {"a.n"}, "true"},
      {"fauna", "includesRegex", {"^a"}, "false"},
      {"äfauna", "indexOfRegex", {"[un]"}, "3"},
      {"fauna", "indexOfRegex", {"a", 2}, "4"},
      {"fauna", "indexOfRegex", {"x"}, "null"},
      {"fauna",
       "indexOfRegex",
       {"a", 9},
       "index_out_of_bounds: index 9 out of bounds for length 5"},
      {"a1b22", "matches", {"[0-9]+"}, R"(["1", "22"])"},
      {"äa1b22", "matchIndexes", {"[0-9]+"}, R"([[2, "1"], [4, "22"]])"},
      {"ab", "matches", {"x*"}, R"(["", "", ""])"},
      {"a1b22", "replaceRegex", {"[0-9]+", "$0"}, R"("a$0b22")"},
      {"a1b22", "replaceRegex", {"[0-9]+", "#", 2}, R"("a\#b\#")"},
      {"a1b22",
       "replaceRegex",
       {"[0-9]+", "#", 0},
       "invalid_argument: invalid argument `count`: must be greater than or equal to 1"},
      {"a1b22", "replaceAllRegex", {"[0-9]", ""}, R"("ab")"},
      {"a1b22c", "splitRegex", {"[0-9]+"}, R"(["a", "b", "c"])"},
      {"abc", "splitRegex", {""}, R"(["a", "b", "c"])"},
      {"abc", "splitRegex", {"c"}, R"(["ab", ""])"},
      {"a",
       "matches",
       {"a("},
       "invalid_regex: Invalid regular expression. missing ): a( at index 0"},
      {"a",
       "matches",
       {"(?=a)"},
       "invalid_regex: Invalid regular expression. invalid perl operator: (?= at index 0"},
  };
  expect_each(cases);
}

TEST(FqlStringTest, APatternAndItsTextHaveABound) {
  EXPECT_EQ(of_method("a", "matches", {std::string(5'000, 'a')}),
            "invalid_regex: Invalid regular expression. Pattern is too large at index 4096");
  EXPECT_EQ(of_method(std::string(std::size_t{15} << 20, 'a'), "includesRegex", {"(abcdefgh){9}"}),
            "value_too_large: Value too large: the string is too long for the pattern");
}

TEST(FqlStringTest, AReplacementThatGrowsHasABound) {
  const std::string text(std::size_t{1} << 20, 'a');
  EXPECT_TRUE(of_method(text, "replaceAll", {"a", std::string(100, 'b')})
                  .starts_with("value_too_large: Value too large: string size "));
  EXPECT_TRUE(of_method(text, "replaceAllRegex", {"a", std::string(100'000, 'b')})
                  .starts_with("value_too_large: Value too large: string size "));
}

}  // namespace
}  // namespace mayfly::fauna
