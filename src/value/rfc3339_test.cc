// Tests of RFC 3339 times and dates.
#include "value/rfc3339.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/limits.h"

namespace mayfly {
namespace {

TEST(Rfc3339Test, TimesAreReadExactly) {
  const std::pair<const char*, std::int64_t> rows[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"1970-01-01t00:00:00z", 0},
      {"1970-01-01T00:00:00.1Z", 100'000},
      {"1970-01-01T00:00:00.000001Z", 1},
      {"1970-01-01T00:00:00.000000999Z", 0},
      {"1969-12-31T23:59:59.999999999Z", -1},
      {"2026-09-01T00:00:00Z", 1'788'220'800'000'000},
      {"2026-09-01T02:30:00+02:30", 1'788'220'800'000'000},
      {"2026-08-31T16:00:00-08:00", 1'788'220'800'000'000},
      {"2026-09-01T00:00:00-00:00", 1'788'220'800'000'000},
      {"2000-02-29T00:00:00Z", 951'782'400'000'000},
      {"2016-12-31T23:59:60Z", 1'483'228'800'000'000},
      {"2016-12-31T23:59:60.5Z", 1'483'228'800'500'000},
      {"2016-12-31T15:59:60-08:00", 1'483'228'800'000'000},
      {"0001-01-01T00:00:00Z", limits::instant_min.micros},
      {"9999-12-31T23:59:59.999999Z", limits::instant_max.micros},
      {"9999-12-31T23:59:59.999999999Z", limits::instant_max.micros},
      {"0001-01-01T23:59:00+23:59", limits::instant_min.micros},
  };
  for (const auto& [text, micros] : rows) {
    const auto t = parse_rfc3339(text);
    ASSERT_TRUE(t) << text;
    EXPECT_EQ(t->micros, micros) << text;
  }
}

TEST(Rfc3339Test, DeviationsAreRefused) {
  for (const char* text : {"",
                           "2026",
                           "2026-09-01",
                           "2026-09-01T00:00:00",
                           "2026-09-01 00:00:00Z",
                           "2026-09-01T00:00:00Z ",
                           " 2026-09-01T00:00:00Z",
                           "2026-09-01T00:00:00ZZ",
                           "2026-9-01T00:00:00Z",
                           "2026-09-1T00:00:00Z",
                           "26-09-01T00:00:00Z",
                           "02026-09-01T00:00:00Z",
                           "+2026-09-01T00:00:00Z",
                           "-2026-09-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-09-00T00:00:00Z",
                           "2026-09-31T00:00:00Z",
                           "2026-02-29T00:00:00Z",
                           "1900-02-29T00:00:00Z",
                           "0000-01-01T00:00:00Z",
                           "2026-09-01T24:00:00Z",
                           "2026-09-01T00:60:00Z",
                           "2026-09-01T00:00:61Z",
                           "2026-09-01T00:00:60Z",
                           "2026-09-01T23:58:60Z",
                           "2016-12-31T23:59:60+01:00",
                           "9999-12-31T23:59:60Z",
                           "2026-09-01T00:00Z",
                           "2026-09-01T00:00:00.Z",
                           "2026-09-01T00:00:00.1234567890Z",
                           "2026-09-01T00:00:00,5Z",
                           "2026-09-01T00:00:00.-5Z",
                           "2026-09-01T00:00:.5Z",
                           "2026-09-01T0.0",
                           "2026-09-01T00:00:00+0100",
                           "2026-09-01T00:00:00+01",
                           "2026-09-01T00:00:00+24:00",
                           "2026-09-01T00:00:00+01:60",
                           "2026-09-01T00:00:00+1:00",
                           "2026-09-01T00:00:00 Z",
                           "2026-09-01T0:00:00Z",
                           "20260901T000000Z",
                           "0001-01-01T00:00:00+00:01",
                           "9999-12-31T23:59:59-00:01",
                           "2026/09/01T00:00:00Z"}) {
    const auto t = parse_rfc3339(text);
    ASSERT_FALSE(t) << text;
    EXPECT_EQ(t.error().code, Code::invalid);
  }
  EXPECT_FALSE(parse_rfc3339(std::string_view("2026-09-01T00:00:00Z\0", 21)));
  for (const char* text : {"", "2026-02-30", "2026-2-03", "2026-02-03Z", "0000-01-01",
                           "10000-01-01", "2026-02-03T00:00:00Z", "2026-02"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(Rfc3339Test, FractionsHaveTheRequestedDigits) {
  const struct {
    std::int64_t micros;
    Fraction fraction;
    const char* text;
  } rows[] = {
      {0, Fraction::shortest, "1970-01-01T00:00:00Z"},
      {1'500'000, Fraction::shortest, "1970-01-01T00:00:01.500Z"},
      {1'000'010, Fraction::shortest, "1970-01-01T00:00:01.000010Z"},
      {1'999'999, Fraction::none, "1970-01-01T00:00:01Z"},
      {1'999'999, Fraction::millis, "1970-01-01T00:00:01.999Z"},
      {1'000'000, Fraction::micros, "1970-01-01T00:00:01.000000Z"},
      {-1, Fraction::shortest, "1969-12-31T23:59:59.999999Z"},
      {-1, Fraction::millis, "1969-12-31T23:59:59.999Z"},
      {Instant::never().micros, Fraction::shortest, "9999-12-31T23:59:59.999999Z"},
      {Instant::beginning().micros, Fraction::shortest, "0001-01-01T00:00:00Z"},
  };
  for (const auto& row : rows) EXPECT_EQ(render_rfc3339({row.micros}, row.fraction), row.text);
  EXPECT_EQ(render_date({std::numeric_limits<std::int32_t>::max()}), "9999-12-31");
  EXPECT_EQ(render_date({std::numeric_limits<std::int32_t>::min()}), "0001-01-01");
}

// Computes the civil calendar day by day, independently of the code.
TEST(Rfc3339Test, EveryDayFromYear1To9999IsReadAndWritten) {
  int year = 1, month = 1, day = 1;
  for (std::int32_t days = -719'162; days <= 2'932'896; ++days) {
    const std::string text = fmt::format("{:04}-{:02}-{:02}", year, month, day);
    ASSERT_EQ(render_date({days}), text);
    ASSERT_EQ(parse_date(text).value().days, days) << text;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const int lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (++day > lengths[month - 1]) day = 1, ++month;
    if (month > 12) month = 1, ++year;
  }
  EXPECT_EQ(year, 10'000);
}

RC_GTEST_PROP(Rfc3339Property, EveryInstantReadsBackTheSame, ()) {
  const Instant t{*rc::gen::inRange(limits::instant_min.micros, limits::instant_max.micros + 1)};
  RC_ASSERT(parse_rfc3339(render_rfc3339(t)).value() == t);
  RC_ASSERT(parse_rfc3339(render_rfc3339(t, Fraction::none)).value() == t.floor_second());
}

}  // namespace
}  // namespace mayfly
