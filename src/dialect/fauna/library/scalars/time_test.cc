// Times and dates.
#include <gtest/gtest.h>

#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

FqlValue at(std::string_view text) {
  return *parse_time(text);
}

FqlValue on(std::string_view text) {
  return *parse_day(text);
}

struct CalendarCase {
  FqlValue self;
  const char* method;
  Values arguments;
  const char* outcome;
};

void expect_calendar(std::span<const CalendarCase> cases) {
  for (const CalendarCase& c : cases) {
    EXPECT_EQ(of_method(c.self, c.method, c.arguments), c.outcome)
        << debug_text(c.self) << "." << c.method << " " << debug_text(array_of(c.arguments));
  }
}

TEST(FqlTimeTest, TextsBecomeTimes) {
  EXPECT_EQ(of_global("Time", {"2024-01-02T03:04:05+01:00"}), "Time(\"2024-01-02T02:04:05Z\")");
  EXPECT_EQ(of_static("Time", "fromString", {"2024-01-02T03:04Z"}),
            "Time(\"2024-01-02T03:04:00Z\")");
  EXPECT_EQ(of_global("Time", {"2024-01-02"}), "invalid_time: `2024-01-02` is not a valid time.");
  EXPECT_EQ(of_global("Time", {5}),
            "invalid_argument: expected value for `time` of type String, received Int");
  EXPECT_EQ(of_global("TransactionTime"), "TransactionTime()");
  EXPECT_EQ(of_static("Time", "now"), "Time(\"2024-01-02T03:04:05Z\")");
}

TEST(FqlTimeTest, AnEpochCountsInAnyUnit) {
  EXPECT_EQ(of_static("Time", "epoch", {1.5, "days"}), "Time(\"1970-01-02T12:00:00Z\")");
  EXPECT_EQ(of_static("Time", "epoch", {-1, "nanosecond"}),
            "Time(\"1969-12-31T23:59:59.999999999Z\")");
  EXPECT_EQ(of_static("Time", "epoch", {1, "month"}),
            "invalid_unit: `month` is not a valid time unit.");
}

TEST(FqlTimeTest, ATimeConsistsOfItsParts) {
  const FqlValue time = at("2024-02-01T03:04:05.678Z");
  const CalendarCase cases[] = {
      {time, "year", {}, "2024"},
      {time, "month", {}, "2"},
      {time, "dayOfMonth", {}, "1"},
      {time, "dayOfWeek", {}, "4"},
      {time, "dayOfYear", {}, "32"},
      {time, "hour", {}, "3"},
      {time, "minute", {}, "4"},
      {time, "second", {}, "5"},
      {time, "toSeconds", {}, "1706756645"},
      {time, "toMillis", {}, "1706756645678L"},
      {time, "toMicros", {}, "1706756645678000L"},
      {at("1969-12-31T23:59:59.5Z"), "toSeconds", {}, "-1"},
      {time, "toString", {}, "\"2024-02-01T03:04:05.678Z\""},
  };
  expect_calendar(cases);
}

TEST(FqlTimeTest, TimesAreMoved) {
  const FqlValue time = at("2024-01-01T00:00:00Z");
  const CalendarCase cases[] = {
      {time, "add", {1, "day"}, "Time(\"2024-01-02T00:00:00Z\")"},
      {time, "add", {1, " half days "}, "Time(\"2024-01-01T12:00:00Z\")"},
      {time, "add", {0.000000001, "seconds"}, "Time(\"2024-01-01T00:00:00.000000001Z\")"},
      {time, "subtract", {90, "minutes"}, "Time(\"2023-12-31T22:30:00Z\")"},
      {time, "add", {1, "week"}, "invalid_unit: `week` is not a valid time unit."},
      {time, "subtract", {1, "year"}, "invalid_unit: `year` is not a valid time unit."},
      {time, "add", {1e18, "days"}, "invalid_time: Time exceeds the maximum value."},
      {time, "subtract", {1e18, "days"}, "invalid_time: Time exceeds the minimum value."},
      {time,
       "add",
       {"1", "day"},
       "invalid_argument: expected value for `n` of type Number, received String"},
  };
  expect_calendar(cases);
}

TEST(FqlTimeTest, ADifferenceIsInWholeUnits) {
  const FqlValue start = at("2024-01-01T00:00:00Z");
  const CalendarCase cases[] = {
      {at("2024-01-02T23:00:00Z"), "difference", {start, "days"}, "1"},
      {at("2023-12-31T01:00:00Z"), "difference", {start, "days"}, "0"},
      {at("2023-12-30T23:00:00Z"), "difference", {start, "days"}, "-1"},
      {at("2024-01-02T00:00:00Z"), "difference", {start, "hours"}, "24"},
      {start, "difference", {start, "month"}, "invalid_unit: `month` is not a valid time unit."},
      {start,
       "difference",
       {TransactionTime{}, "day"},
       "invalid_argument: expected value for `start` of type Time, received TransactionTime"},
  };
  expect_calendar(cases);
  EXPECT_EQ(find_method("TransactionTime", "add"), nullptr);
}

TEST(FqlDateTest, TextsBecomeDates) {
  EXPECT_EQ(of_global("Date", {"2024-02-29"}), "Date(\"2024-02-29\")");
  EXPECT_EQ(of_static("Date", "fromString", {"2024-01-02"}), "Date(\"2024-01-02\")");
  EXPECT_EQ(of_global("Date", {"2024-02-30"}), "invalid_date: `2024-02-30` is not a valid date.");
  EXPECT_EQ(of_static("Date", "today"), "Date(\"2024-01-02\")");
}

TEST(FqlDateTest, DatesCountDays) {
  const FqlValue date = on("2024-02-28");
  const CalendarCase cases[] = {
      {date, "year", {}, "2024"},
      {date, "month", {}, "2"},
      {date, "dayOfMonth", {}, "28"},
      {date, "dayOfWeek", {}, "3"},
      {date, "dayOfYear", {}, "59"},
      {date, "add", {2, "days"}, "Date(\"2024-03-01\")"},
      {date, "add", {1.5, "day"}, "Date(\"2024-03-01\")"},
      {date, "subtract", {59, "days"}, "Date(\"2023-12-31\")"},
      {date, "add", {1, "hour"}, "invalid_unit: `hour` is not a valid date unit."},
      {date, "add", {1e15, "days"}, "invalid_date: Date exceeds the maximum value."},
      {date, "difference", {on("2024-02-25")}, "3L"},
      {date, "difference", {on("2024-03-01")}, "-2L"},
      {date, "toString", {}, "\"2024-02-28\""},
  };
  expect_calendar(cases);
}

}  // namespace
}  // namespace mayfly::fauna
