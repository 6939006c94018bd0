// Dates: days without a time.
#include <fmt/format.h>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/values/calendar.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> day_within_calendar(Run& run, Result<FqlDate> date) {
  if (date) return FqlValue(*date);
  return run.fail("invalid_date", std::move(date).error().message);
}

Result<void> check_date_unit(Run& run, const FqlValue& unit) {
  if (is_date_unit(unit.text())) return {};
  return run.fail("invalid_unit", fmt::format("`{}` is not a valid date unit.", unit.text()));
}

Result<FqlValue> date_of_text(Run& run, const FqlValue&, const Arguments& a) {
  if (const auto date = parse_day(a[0].text())) return FqlValue(*date);
  return run.fail("invalid_date", fmt::format("`{}` is not a valid date.", a[0].text()));
}

Result<FqlValue> date_today(Run& run, const FqlValue&, const Arguments&) {
  const CalendarFields today = calendar_fields(run.now());
  const auto date = date_of(today.year, static_cast<unsigned>(today.month),
                            static_cast<unsigned>(today.day_of_month));
  return FqlValue(date.value_or(FqlDate{}));
}

Result<FqlValue> date_add(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(check_date_unit(run, a[1]));
  return day_within_calendar(run, add(self.date(), a[0]));
}

Result<FqlValue> date_subtract(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(check_date_unit(run, a[1]));
  return day_within_calendar(run, subtract(self.date(), a[0]));
}

Result<FqlValue> date_difference(Run&, const FqlValue& self, const Arguments& a) {
  return long_number(self.date().days - a[0].date().days);
}

template <auto field>
Result<FqlValue> date_field(Run&, const FqlValue& self, const Arguments&) {
  return whole_number(calendar_fields(self.date()).*field);
}

}  // namespace

std::span<const Method> date_methods() {
  using Fields = CalendarFields;
  static const Method table[] = {
      {"", "Date", "(date: String) => Date", "The date that an ISO 8601 text writes.",
       R"(Date("2024-01-02"))", R"(Date("2024-01-02"))", date_of_text},
      {"Date", "fromString", "(date: String) => Date", "As `Date()`.",
       R"(Date.fromString("2024-01-02"))", R"(Date("2024-01-02"))", date_of_text, Effect::pure,
       true},
      {"Date", "today", "() => Date", "The day of the query's snapshot in UTC.",
       "Date.today() == Date.today()", "true", date_today, Effect::pure, true},
      {"Date", "year", "Int", "Its year.", R"(Date("2024-01-02").year)", "2024",
       date_field<&Fields::year>},
      {"Date", "month", "Int", "Its month, from 1.", R"(Date("2024-01-02").month)", "1",
       date_field<&Fields::month>},
      {"Date", "dayOfMonth", "Int", "Its day of the month, from 1.",
       R"(Date("2024-01-02").dayOfMonth)", "2", date_field<&Fields::day_of_month>},
      {"Date", "dayOfWeek", "Int", "Its day of the week; Monday is 1.",
       R"(Date("2024-01-02").dayOfWeek)", "2", date_field<&Fields::day_of_week>},
      {"Date", "dayOfYear", "Int", "Its day of the year, from 1.",
       R"(Date("2024-02-01").dayOfYear)", "32", date_field<&Fields::day_of_year>},
      {"Date", "add", "(n: Number, unit: String) => Date",
       "The date so many days later; the only unit is day or days.",
       R"(Date("2024-02-28").add(2, "days"))", R"(Date("2024-03-01"))", date_add},
      {"Date", "subtract", "(n: Number, unit: String) => Date", "The date so many days earlier.",
       R"(Date("2024-03-01").subtract(1, "day"))", R"(Date("2024-02-29"))", date_subtract},
      {"Date", "difference", "(start: Date) => Long", "The days from `start` to it.",
       R"(Date("2024-03-01").difference(Date("2024-02-28")))", "2", date_difference},
  };
  return table;
}

}  // namespace mayfly::fauna
