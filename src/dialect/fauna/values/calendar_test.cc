// The calendar, and the texts of times and dates.
#include "dialect/fauna/values/calendar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "dialect/fauna/values/arbitrary.h"
#include "dialect/fauna/values/text/text.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

std::string time_or_error(const Result<FqlTime>& t) {
  return t ? render_time(*t) : t.error().message;
}

std::string day_or_error(const Result<FqlDate>& date) {
  return date ? render_day(*date) : date.error().message;
}

FqlTime time_in(const char* text) {
  return parse_time(text).value();
}

TEST(FqlTimeTextTest, TimesAreReadAndWrittenInUtc) {
  const std::pair<const char*, const char*> rows[] = {
      {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
      {"1970-01-01t00:00:00z", "1970-01-01T00:00:00Z"},
      {"2024-01-02T03:04Z", "2024-01-02T03:04:00Z"},
      {"3000-01-01T05:00:00+05:00", "3000-01-01T00:00:00Z"},
      {"3000-01-01T05:30:00+0530", "3000-01-01T00:00:00Z"},
      {"2024-03-01T00:00:00-18:00", "2024-03-01T18:00:00Z"},
      {"2024-01-02T03:04:05.1Z", "2024-01-02T03:04:05.100Z"},
      {"2024-01-02T03:04:05.123456Z", "2024-01-02T03:04:05.123456Z"},
      {"2024-01-02T03:04:05.1234567Z", "2024-01-02T03:04:05.123456700Z"},
      {"2024-01-02T03:04:05.123456789Z", "2024-01-02T03:04:05.123456789Z"},
      {"2024-01-02T03:04:05.000000000Z", "2024-01-02T03:04:05Z"},
      {"1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999999Z"},
      {"0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"},
      {"-0001-01-01T00:00:00Z", "-0001-01-01T00:00:00Z"},
      {"+10000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59-00:01", "+10000-01-01T00:00:59Z"},
      {"+999999999-12-31T23:59:59.999999999Z", "+999999999-12-31T23:59:59.999999999Z"},
      {"-999999999-01-01T00:00:00Z", "-999999999-01-01T00:00:00Z"},
  };
  for (const auto& [text, written] : rows) {
    const auto t = parse_time(text);
    ASSERT_TRUE(t) << text;
    EXPECT_EQ(render_time(*t), written);
  }
}

TEST(FqlTimeTextTest, InvalidTimesAreRefused) {
  for (const char* text : {"",
                           "now",
                           "2024-01-02",
                           "2024-01-02T",
                           "2024-01-02T03Z",
                           "2024-01-02T03:04:05",
                           "2024-01-02T03:04:05.Z",
                           "2024-01-02T03:04:05.1234567890Z",
                           "2024-02-30T00:00:00Z",
                           "2016-12-31T23:59:60Z",
                           "2024-01-02T24:00:00Z",
                           "2024-01-02T00:60:00Z",
                           "2024-01-02T00:00:00+18:01",
                           "2024-01-02T00:00:00+05",
                           "2024-01-02T00:00:00+05:60",
                           "2024-01-02T00:00:00Z ",
                           "+2024-01-02T00:00:00Z",
                           "10000-01-02T00:00:00Z",
                           "+1000000000-01-01T00:00:00Z",
                           "-99999999999-01-01T00:00:00Z",
                           "+999999999-12-31T23:59:59-00:01",
                           "-999999999-01-01T00:00:00+00:01"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

TEST(FqlTimeTextTest, DatesAreReadStrictly) {
  for (const char* text : {"2024-01-02", "0000-01-01", "-0004-02-29", "+12345-12-31"}) {
    const auto date = parse_day(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(render_day(*date), text);
  }
  for (const char* text : {"2024-02-30", "2023-02-29", "2024-1-2", "2024-01-02T00:00:00Z",
                           "24-01-02", "+1000000000-01-01"}) {
    EXPECT_FALSE(parse_day(text)) << text;
  }
}

RC_GTEST_PROP(FqlTimeTextTest, RenderedTimesParseToTheSame, ()) {
  const FqlTime t = *arbitrary::time();
  RC_ASSERT((parse_time(render_time(t)) == t));
  const FqlDate date = *arbitrary::date();
  RC_ASSERT((parse_day(render_day(date)) == date));
}

std::string fields_text(const CalendarFields& at) {
  return fmt::format("{} {} {} {} {} {} {} {}", at.year, at.month, at.day_of_month, at.day_of_week,
                     at.day_of_year, at.hour, at.minute, at.second);
}

TEST(FqlCalendarTest, TimesHaveTheFieldsOfTheirDay) {
  EXPECT_EQ(fields_text(calendar_fields(time_in("2024-12-31T23:58:59.5Z"))),
            "2024 12 31 2 366 23 58 59");
  EXPECT_EQ(fields_text(calendar_fields(time_in("1969-12-31T23:59:59Z"))),
            "1969 12 31 3 365 23 59 59");
  EXPECT_EQ(fields_text(calendar_fields(time_in("-999999999-01-01T00:00:00Z"))),
            "-999999999 1 1 1 1 0 0 0");
  EXPECT_EQ(fields_text(calendar_fields(*parse_day("2000-03-01"))), "2000 3 1 3 61 0 0 0");
}

TEST(FqlCalendarTest, OnlyFixedLengthsAreUnits) {
  const std::pair<const char*, std::int64_t> rows[] = {{"day", 86'400'000'000'000},
                                                       {"days", 86'400'000'000'000},
                                                       {" half days ", 43'200'000'000'000},
                                                       {"hour", 3'600'000'000'000},
                                                       {"minutes", 60'000'000'000},
                                                       {"second", 1'000'000'000},
                                                       {"milliseconds", 1'000'000},
                                                       {"microsecond", 1'000},
                                                       {"nanoseconds", 1},
                                                       {"month", 0},
                                                       {"weeks", 0},
                                                       {"year", 0},
                                                       {"", 0},
                                                       {"s", 0},
                                                       {"dayss", 0},
                                                       {"Day", 0}};
  for (const auto& [unit, nanos] : rows) {
    EXPECT_EQ(nanos_of_unit(unit).value_or(0), nanos) << unit;
  }
  EXPECT_TRUE(is_date_unit("days") && is_date_unit(" day"));
  EXPECT_FALSE(is_date_unit("half day") || is_date_unit("hours"));
}

TEST(FqlCalendarTest, TimesAreAddedToExactly) {
  struct Case {
    const char* start;
    FqlValue n;
    const char* unit;
    const char* sum;
  };
  const Case rows[] = {
      {"2024-02-28T12:00:00Z", 1, "day", "2024-02-29T12:00:00Z"},
      {"2024-02-28T12:00:00Z", 3, "half days", "2024-03-01T00:00:00Z"},
      {"2024-01-01T00:00:00Z", 0.5, "hours", "2024-01-01T00:30:00Z"},
      {"2024-01-01T00:00:00Z", -0.000000001, "second", "2023-12-31T23:59:59.999999999Z"},
      {"2024-01-01T00:00:00Z", 0.3, "seconds", "2024-01-01T00:00:00.300Z"},
      {"2024-01-01T00:00:00Z", 1, "nanosecond", "2024-01-01T00:00:00.000000001Z"},
      {"2024-01-01T00:00:00Z", long_number(9'000'000'000'000'000'000), "nanoseconds",
       "2309-03-14T16:00:00Z"},
      {"+999999999-12-31T00:00:00Z", 1, "day", "Time exceeds the maximum value."},
      {"-999999999-01-01T00:00:00Z", -1, "nanosecond", "Time exceeds the minimum value."},
      {"2024-01-01T00:00:00Z", long_number(INT64_MAX), "days", "Time exceeds the maximum value."},
      {"2024-01-01T00:00:00Z", long_number(INT64_MIN), "days", "Time exceeds the minimum value."},
      {"2024-01-01T00:00:00Z", 1e300, "nanoseconds", "Time exceeds the maximum value."},
      {"2024-01-01T00:00:00Z", -1e20, "days", "Time exceeds the minimum value."},
      {"2024-01-01T00:00:00Z", std::numeric_limits<double>::quiet_NaN(), "days",
       "2024-01-01T00:00:00Z"},
  };
  for (const Case& row : rows) {
    const auto sum = add(time_in(row.start), row.n, nanos_of_unit(row.unit).value());
    EXPECT_EQ(time_or_error(sum), row.sum) << row.start << ' ' << row.unit;
  }
  EXPECT_EQ(time_or_error(subtract(time_in("2024-03-01T00:00:00Z"), 1, *nanos_of_unit("day"))),
            "2024-02-29T00:00:00Z");
  EXPECT_EQ(time_or_error(subtract(FqlTime{}, long_number(INT64_MIN), *nanos_of_unit("day"))),
            "Time exceeds the maximum value.");
}

TEST(FqlCalendarTest, DifferencesAreCutTowardsZero) {
  const FqlTime noon = time_in("2024-01-01T12:00:00Z");
  const FqlTime later = time_in("2024-01-03T11:59:59.999999999Z");
  EXPECT_EQ(debug_text(difference(later, noon, *nanos_of_unit("days"))), "1");
  EXPECT_EQ(debug_text(difference(noon, later, *nanos_of_unit("days"))), "-1");
  EXPECT_EQ(debug_text(difference(later, noon, *nanos_of_unit("nanosecond"))), "172799999999999");
  EXPECT_EQ(type_name(difference(later, noon, *nanos_of_unit("days"))), "Int");
  EXPECT_EQ(type_name(difference(later, noon, 1)), "Long");
  EXPECT_EQ(type_name(difference(time_in("+999999999-01-01T00:00:00Z"), noon, 1)), "Double");
}

TEST(FqlCalendarTest, CountsSince1970AreCutTowardsThePast) {
  const FqlTime before = time_in("1969-12-31T23:59:59.9995Z");
  EXPECT_EQ(debug_text(since_epoch(before, *nanos_of_unit("milliseconds"))), "-1");
  EXPECT_EQ(debug_text(since_epoch(before, *nanos_of_unit("microseconds"))), "-500");
  EXPECT_EQ(debug_text(since_epoch(time_in("1970-01-01T00:00:01.9Z"), 1'000'000'000)), "1");
}

RC_GTEST_PROP(FqlCalendarTest, ADifferenceIsWhatWasAdded, ()) {
  const FqlTime t = *arbitrary::time();
  const auto n = *rc::gen::inRange<std::int64_t>(-1'000'000, 1'000'000);
  const auto unit = *rc::gen::elementOf(std::vector<std::string>{"day", "hour", "nanosecond"});
  const auto sum = add(t, whole_number(n), *nanos_of_unit(unit));
  RC_PRE(sum.has_value());
  RC_ASSERT((difference(*sum, t, *nanos_of_unit(unit)).whole().number == n));
}

TEST(FqlCalendarTest, DatesAreAddedToInDays) {
  const FqlDate day = *parse_day("2024-02-28");
  EXPECT_EQ(day_or_error(add(day, 2)), "2024-03-01");
  EXPECT_EQ(day_or_error(subtract(day, 59)), "2023-12-31");
  EXPECT_EQ(day_or_error(add(day, 1.5)), "2024-03-01");
  EXPECT_EQ(day_or_error(add(day, 1.4)), "2024-02-29");
  EXPECT_EQ(day_or_error(add(day, 1e12)), "Date exceeds the maximum value.");
  EXPECT_EQ(day_or_error(subtract(day, long_number(INT64_MAX))), "Date exceeds the minimum value.");
}

}  // namespace
}  // namespace mayfly::fauna
