// Parsing ids.
#include "dialect/fauna/values/text/ids.h"

#include <gtest/gtest.h>

namespace mayfly::fauna {
namespace {

TEST(FqlIdTextTest, AnIdIsADecimalNumberOfSixtyThreeBits) {
  struct Case {
    FqlValue value;
    std::optional<std::string> id;
  };
  const Case rows[] = {
      {Id{"7"}, "7"},
      {Id{"of-another-api"}, "of-another-api"},
      {7, "7"},
      {-7, "-7"},
      {"7", "7"},
      {"007", "7"},
      {"-7", "-7"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", std::nullopt},
      {"+7", std::nullopt},
      {" 7", std::nullopt},
      {"7 ", std::nullopt},
      {"7.0", std::nullopt},
      {"0x7", std::nullopt},
      {"", std::nullopt},
      {7.0, std::nullopt},
      {nullptr, std::nullopt},
      {true, std::nullopt},
  };
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(id_text(rows[i].value), rows[i].id) << "row " << i;
  }
}

TEST(FqlIdTextTest, OnlyACompleteNumberIsTheNumberOfAnId) {
  EXPECT_EQ(id_number("12"), 12);
  EXPECT_EQ(id_number("-12"), -12);
  EXPECT_EQ(id_number(std::string_view("1234").substr(0, 2)), 12);
  EXPECT_EQ(id_number("12a"), std::nullopt);
  EXPECT_EQ(id_number("a"), std::nullopt);
  EXPECT_EQ(id_number(""), std::nullopt);
}

TEST(FqlIdTextTest, DigitsAreDecimalAndAtLeastOne) {
  for (const char* text : {"0", "007", "92233720368547758080"})
    EXPECT_TRUE(is_digits(text)) << text;
  for (const char* text : {"", "-1", "1a", " 1", "1."}) EXPECT_FALSE(is_digits(text)) << text;
}

}  // namespace
}  // namespace mayfly::fauna
