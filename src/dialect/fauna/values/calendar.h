// The calendar and the arithmetic of times and dates: years -999,999,999 to 999,999,999, in UTC,
// exact to the nanosecond. Results outside fail with invalid, with the messages of FQL's
// invalid_time and invalid_date.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

inline constexpr std::int64_t calendar_year_max = 999'999'999;

struct CalendarFields {
  std::int64_t year = 1970;
  int month = 1;
  int day_of_month = 1;
  int day_of_week = 1;  // 1: Monday
  int day_of_year = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
};
CalendarFields calendar_fields(const FqlTime& t);
CalendarFields calendar_fields(const FqlDate& date);

// nullopt if the calendar has no such day.
std::optional<FqlDate> date_of(std::int64_t year, unsigned month, unsigned day);
bool is_within_calendar(const FqlTime& t);
bool is_within_calendar(const FqlDate& date);

// The length of a unit of times in nanoseconds: `day`, `half days`, `hour` … `nanoseconds`,
// ignoring spaces around it. nullopt for anything else: weeks, months and years are no units.
std::optional<std::int64_t> nanos_of_unit(std::string_view unit);
// Whether it is `day` or `days`: dates have no other units.
bool is_date_unit(std::string_view unit);

// `n` is a number; fractions are exact to the nanosecond.
Result<FqlTime> add(const FqlTime& t, const FqlValue& n, std::int64_t unit_nanos);
Result<FqlTime> subtract(const FqlTime& t, const FqlValue& n, std::int64_t unit_nanos);
// From `start` to `t` in whole units, truncated towards zero. An Int where it fits, else a Long or
// a Double.
FqlValue difference(const FqlTime& t, const FqlTime& start, std::int64_t unit_nanos);
// Whole units since 1970, rounded down, for toMicros() and the like.
FqlValue since_epoch(const FqlTime& t, std::int64_t unit_nanos);

// In days; a fraction is rounded.
Result<FqlDate> add(const FqlDate& date, const FqlValue& n);
Result<FqlDate> subtract(const FqlDate& date, const FqlValue& n);

}  // namespace mayfly::fauna
