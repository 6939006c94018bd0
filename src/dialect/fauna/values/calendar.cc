// Calendar days from the standard library; years outside its range are shifted by multiples of 400
// years.
#include "dialect/fauna/values/calendar.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace mayfly::fauna {
namespace {

using Nanos = __int128;

constexpr std::int64_t second_nanos = 1'000'000'000;
constexpr std::int64_t day_nanos = 86'400 * second_nanos;
constexpr std::int64_t day_seconds = 86'400;
// The calendar repeats after 400 years, a whole number of weeks. The library's calendar ends at the
// year 32,767, so it is used only for years within one such period.
constexpr std::int64_t years_of_round = 400;
constexpr std::int64_t days_of_round = 146'097;

template <class Number>
constexpr Number floor_divide(Number a, Number b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

constexpr std::optional<FqlDate> day_of_calendar(std::int64_t year, unsigned month, unsigned day) {
  const std::int64_t round = floor_divide(year, years_of_round);
  const std::chrono::year_month_day within{
      std::chrono::year(static_cast<int>(year - round * years_of_round)), std::chrono::month(month),
      std::chrono::day(day)};
  if (!within.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(within).time_since_epoch().count();
  return FqlDate{round * days_of_round + days};
}

constexpr FqlDate first_date = *day_of_calendar(-calendar_year_max, 1, 1);
constexpr FqlDate last_date = *day_of_calendar(calendar_year_max, 12, 31);
constexpr FqlTime first_time{first_date.days * day_seconds, 0};
constexpr FqlTime last_time{(last_date.days + 1) * day_seconds - 1, second_nanos - 1};

struct TimeUnit {
  std::string_view name;  // in the singular
  std::int64_t nanos;
};
constexpr TimeUnit time_units[] = {
    {"day", day_nanos},
    {"half day", day_nanos / 2},
    {"hour", 3'600 * second_nanos},
    {"minute", 60 * second_nanos},
    {"second", second_nanos},
    {"millisecond", 1'000'000},
    {"microsecond", 1'000},
    {"nanosecond", 1},
};

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_unit(std::string_view text, std::string_view name) {
  text = without_spaces(text);
  return text == name || (text.ends_with('s') && text.substr(0, text.size() - 1) == name);
}

Nanos nanos_of(const FqlTime& t) {
  return static_cast<Nanos>(t.seconds) * second_nanos + t.nanos;
}

// Clamps so that the result fits 128 bits, but is still outside the range of times.
Nanos nanos_of(const FqlValue& n, std::int64_t unit_nanos) {
  if (n.is(FqlKind::whole)) return static_cast<Nanos>(n.whole().number) * unit_nanos;
  if (std::isnan(n.real())) return 0;
  const double most = 1e30 / static_cast<double>(unit_nanos);
  const double d = std::clamp(n.real(), -most, most);
  const double whole = std::trunc(d);
  return static_cast<Nanos>(whole) * unit_nanos +
         std::llround((d - whole) * static_cast<double>(unit_nanos));
}

Result<FqlTime> time_at(Nanos nanos) {
  if (nanos > nanos_of(last_time)) return fail(Code::invalid, "Time exceeds the maximum value.");
  if (nanos < nanos_of(first_time)) return fail(Code::invalid, "Time exceeds the minimum value.");
  const Nanos seconds = floor_divide<Nanos>(nanos, second_nanos);
  return FqlTime{static_cast<std::int64_t>(seconds),
                 static_cast<std::int32_t>(nanos - seconds * second_nanos)};
}

// One day counts as one nanosecond.
Result<FqlDate> date_at(Nanos days) {
  if (days > last_date.days) return fail(Code::invalid, "Date exceeds the maximum value.");
  if (days < first_date.days) return fail(Code::invalid, "Date exceeds the minimum value.");
  return FqlDate{static_cast<std::int64_t>(days)};
}

FqlValue count_of(Nanos n) {
  if (n < INT64_MIN || n > INT64_MAX) return static_cast<double>(n);
  return whole_number(static_cast<std::int64_t>(n));
}

}  // namespace

CalendarFields calendar_fields(const FqlDate& date) {
  const std::int64_t round = floor_divide(date.days, days_of_round);
  const std::chrono::sys_days within(
      std::chrono::days(static_cast<int>(date.days - round * days_of_round)));
  const std::chrono::year_month_day day(within);
  CalendarFields fields;
  fields.year = static_cast<int>(day.year()) + round * years_of_round;
  fields.month = static_cast<int>(static_cast<unsigned>(day.month()));
  fields.day_of_month = static_cast<int>(static_cast<unsigned>(day.day()));
  fields.day_of_week = static_cast<int>(std::chrono::weekday(within).iso_encoding());
  fields.day_of_year =
      static_cast<int>((within - std::chrono::sys_days(day.year() / 1 / 1)).count()) + 1;
  return fields;
}

CalendarFields calendar_fields(const FqlTime& t) {
  const FqlDate date{floor_divide(t.seconds, day_seconds)};
  CalendarFields fields = calendar_fields(date);
  const auto of_day = static_cast<int>(t.seconds - date.days * day_seconds);
  fields.hour = of_day / 3'600;
  fields.minute = of_day / 60 % 60;
  fields.second = of_day % 60;
  return fields;
}

std::optional<FqlDate> date_of(std::int64_t year, unsigned month, unsigned day) {
  if (year < -calendar_year_max || year > calendar_year_max) return std::nullopt;
  return day_of_calendar(year, month, day);
}

bool is_within_calendar(const FqlTime& t) {
  return t >= first_time && t <= last_time;
}

bool is_within_calendar(const FqlDate& date) {
  return date >= first_date && date <= last_date;
}

std::optional<std::int64_t> nanos_of_unit(std::string_view unit) {
  for (const TimeUnit& row : time_units) {
    if (is_unit(unit, row.name)) return row.nanos;
  }
  return std::nullopt;
}

bool is_date_unit(std::string_view unit) {
  return is_unit(unit, "day");
}

Result<FqlTime> add(const FqlTime& t, const FqlValue& n, std::int64_t unit_nanos) {
  return time_at(nanos_of(t) + nanos_of(n, unit_nanos));
}

Result<FqlTime> subtract(const FqlTime& t, const FqlValue& n, std::int64_t unit_nanos) {
  return time_at(nanos_of(t) - nanos_of(n, unit_nanos));
}

FqlValue difference(const FqlTime& t, const FqlTime& start, std::int64_t unit_nanos) {
  return count_of((nanos_of(t) - nanos_of(start)) / unit_nanos);
}

FqlValue since_epoch(const FqlTime& t, std::int64_t unit_nanos) {
  return count_of(floor_divide<Nanos>(nanos_of(t), unit_nanos));
}

Result<FqlDate> add(const FqlDate& date, const FqlValue& n) {
  return date_at(date.days + nanos_of(n, 1));
}

Result<FqlDate> subtract(const FqlDate& date, const FqlValue& n) {
  return date_at(date.days - nanos_of(n, 1));
}

}  // namespace mayfly::fauna
