// Times: instants to the nanosecond. Their fields are in UTC.
#include <fmt/format.h>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/values/calendar.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> within_calendar(Run& run, Result<FqlTime> time) {
  if (time) return FqlValue(*time);
  return run.fail("invalid_time", std::move(time).error().message);
}

Result<std::int64_t> time_unit(Run& run, const FqlValue& unit) {
  if (const auto nanos = nanos_of_unit(unit.text())) return *nanos;
  return run.fail("invalid_unit", fmt::format("`{}` is not a valid time unit.", unit.text()));
}

Result<FqlValue> time_of_text(Run& run, const FqlValue&, const Arguments& a) {
  if (const auto time = parse_time(a[0].text())) return FqlValue(*time);
  return run.fail("invalid_time", fmt::format("`{}` is not a valid time.", a[0].text()));
}

Result<FqlValue> time_now(Run& run, const FqlValue&, const Arguments&) {
  return FqlValue(run.now());
}

Result<FqlValue> time_of_epoch(Run& run, const FqlValue&, const Arguments& a) {
  const std::int64_t unit = TRY(time_unit(run, a[1]));
  return within_calendar(run, add(FqlTime{}, a[0], unit));
}

Result<FqlValue> transaction_time(Run&, const FqlValue&, const Arguments&) {
  return FqlValue(TransactionTime{});
}

Result<FqlValue> time_add(Run& run, const FqlValue& self, const Arguments& a) {
  const std::int64_t unit = TRY(time_unit(run, a[1]));
  return within_calendar(run, add(self.time(), a[0], unit));
}

Result<FqlValue> time_subtract(Run& run, const FqlValue& self, const Arguments& a) {
  const std::int64_t unit = TRY(time_unit(run, a[1]));
  return within_calendar(run, subtract(self.time(), a[0], unit));
}

Result<FqlValue> time_difference(Run& run, const FqlValue& self, const Arguments& a) {
  const std::int64_t unit = TRY(time_unit(run, a[1]));
  return difference(self.time(), a[0].time(), unit);
}

template <auto field>
Result<FqlValue> time_field(Run&, const FqlValue& self, const Arguments&) {
  return whole_number(calendar_fields(self.time()).*field);
}

template <std::int64_t unit_nanos>
Result<FqlValue> time_since_epoch(Run&, const FqlValue& self, const Arguments&) {
  return since_epoch(self.time(), unit_nanos);
}

using Fields = CalendarFields;
constexpr Effect pure = Effect::pure;
constexpr std::string_view with_unit = "(n: Number, unit: String) => Time";

}  // namespace

std::span<const Method> time_methods() {
  static const Method table[] = {
      {"", "Time", "(time: String) => Time", "The time that an ISO 8601 text writes.",
       R"(Time("2024-01-02T03:04:05+01:00"))", R"(Time("2024-01-02T02:04:05Z"))", time_of_text},
      {"", "TransactionTime", "() => TransactionTime",
       "The time of the write under way, which is known when it is done.",
       "TransactionTime() == TransactionTime()", "true", transaction_time},
      {"Time", "fromString", "(time: String) => Time", "As `Time()`.",
       R"(Time.fromString("2024-01-02T03:04Z"))", R"(Time("2024-01-02T03:04:00Z"))", time_of_text,
       pure, true},
      {"Time", "epoch", "(n: Number, unit: String) => Time", "So many units after 1970 began.",
       R"(Time.epoch(1, "day"))", R"(Time("1970-01-02T00:00:00Z"))", time_of_epoch, pure, true},
      {"Time", "now", "() => Time", "The time of the query's snapshot, the same throughout it.",
       "Time.now() == Time.now()", "true", time_now, Effect::observation, true},
      {"Time", "year", "Int", "Its year.", R"(Time("2024-01-02T03:04:05Z").year)", "2024",
       time_field<&Fields::year>},
      {"Time", "month", "Int", "Its month, from 1.", R"(Time("2024-01-02T03:04:05Z").month)", "1",
       time_field<&Fields::month>},
      {"Time", "dayOfMonth", "Int", "Its day of the month, from 1.",
       R"(Time("2024-01-02T03:04:05Z").dayOfMonth)", "2", time_field<&Fields::day_of_month>},
      {"Time", "dayOfWeek", "Int", "Its day of the week; Monday is 1.",
       R"(Time("2024-01-02T03:04:05Z").dayOfWeek)", "2", time_field<&Fields::day_of_week>},
      {"Time", "dayOfYear", "Int", "Its day of the year, from 1.",
       R"(Time("2024-02-01T00:00:00Z").dayOfYear)", "32", time_field<&Fields::day_of_year>},
      {"Time", "hour", "Int", "Its hour.", R"(Time("2024-01-02T03:04:05Z").hour)", "3",
       time_field<&Fields::hour>},
      {"Time", "minute", "Int", "Its minute.", R"(Time("2024-01-02T03:04:05Z").minute)", "4",
       time_field<&Fields::minute>},
      {"Time", "second", "Int", "Its second.", R"(Time("2024-01-02T03:04:05Z").second)", "5",
       time_field<&Fields::second>},
      {"Time", "add", with_unit,
       "The time so many units later. Units: day, half day, hour, minute, second, millisecond, "
       "microsecond, nanosecond, or their plurals.",
       R"(Time("2024-01-31T00:00:00Z").add(1.5, "days"))", R"(Time("2024-02-01T12:00:00Z"))",
       time_add},
      {"Time", "subtract", with_unit, "The time so many units earlier.",
       R"(Time("2024-01-01T00:00:00Z").subtract(1, "hour"))", R"(Time("2023-12-31T23:00:00Z"))",
       time_subtract},
      {"Time", "difference", "(start: Time, unit: String) => Number",
       "The whole units from `start` to it.",
       R"(Time("2024-01-02T00:00:00Z").difference(Time("2024-01-01T00:00:00Z"), "hours"))", "24",
       time_difference},
      {"Time", "toMicros", "() => Number", "Its microseconds since 1970 began.",
       R"(Time("1970-01-01T00:00:01Z").toMicros())", "1000000", time_since_epoch<1'000>},
      {"Time", "toMillis", "() => Number", "Its milliseconds since 1970 began.",
       R"(Time("1970-01-01T00:00:01Z").toMillis())", "1000", time_since_epoch<1'000'000>},
      {"Time", "toSeconds", "() => Number", "Its seconds since 1970 began.",
       R"(Time("1970-01-01T00:01:00Z").toSeconds())", "60", time_since_epoch<1'000'000'000>},
  };
  return table;
}

}  // namespace mayfly::fauna
