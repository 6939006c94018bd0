// Times as milliseconds since 1970; a document may store them as numbers or as texts.
#include <chrono>
#include <cmath>
#include <optional>

#include "expr/functions/families.h"
#include "expr/functions/times/iso_time.h"
#include "value/json/json.h"

namespace mayfly {
namespace {

namespace calendar = std::chrono;
constexpr std::int64_t day_millis = 86'400'000;

std::int64_t divide_down(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

bool is_within(std::int64_t number, std::int64_t most) {
  return -most <= number && number <= most;
}

Value millis_of_text(std::string_view text) {
  if (const auto time = parse_iso_time(text)) return divide_down(time->first.micros, 1'000);
  constexpr std::size_t digits_min = 5;  // a shorter number is a year
  if (text.size() < digits_min || text.find_first_not_of("-0123456789") != std::string_view::npos) {
    return {};
  }
  const auto number = parse_json(text);
  return number && number->is(Kind::integer) ? *number : Value();
}

Result<Value> to_epoch_millis(const Arguments& a) {
  const Value& value = a[0];
  if (value.is(Kind::integer)) return value;
  if (value.is(Kind::time)) return divide_down(value.time().micros, 1'000);
  if (value.is(Kind::date)) return value.date().days * day_millis;
  if (value.is(Kind::text)) return millis_of_text(value.text());
  if (!value.is(Kind::real) || !(std::abs(value.real()) < 0x1p62)) return Value();
  return static_cast<std::int64_t>(std::floor(value.real()));
}

// --- the calendar ---

struct MillisUnit {
  std::string_view name;
  std::int64_t millis = 0;  // 0: counted in months
  unsigned months = 0;
};
constexpr MillisUnit millis_units[] = {
    {"second", 1'000},        {"minute", 60'000}, {"hour", 3'600'000}, {"day", day_millis},
    {"week", 7 * day_millis}, {"month", 0, 1},    {"quarter", 0, 3},   {"year", 0, 12}};

const MillisUnit* millis_unit(const Value& name) {
  if (!name.is(Kind::text)) return nullptr;
  for (const MillisUnit& unit : millis_units) {
    if (unit.name == name.text()) return &unit;
  }
  return nullptr;
}

std::int64_t month_begin(std::int64_t millis, unsigned months, std::int64_t later) {
  const calendar::year_month_day day{
      calendar::sys_days(calendar::days(divide_down(millis, day_millis)))};
  const std::int64_t month = (static_cast<unsigned>(day.month()) - 1) / months * months;
  const calendar::year_month begin =
      calendar::year_month(day.year(), calendar::month(static_cast<unsigned>(month + 1))) +
      calendar::months(later * months);
  return calendar::sys_days(begin / 1).time_since_epoch().count() * day_millis;
}

// The beginning of the unit that contains the time, or of one so many units later.
Result<Value> millis_begin(const Arguments& a) {
  const auto millis = whole_number(a[0]);
  const MillisUnit* unit = millis_unit(a[1]);
  const auto later = a.size() > 2 ? whole_number(a[2]) : std::optional<std::int64_t>(0);
  constexpr std::int64_t later_max = 1'000'000'000;
  if (!millis || unit == nullptr || !later || !is_within(*later, later_max)) return Value();
  if (*millis < limits::instant_min.micros / 1'000) return Value();
  if (*millis > limits::instant_max.micros / 1'000) return Value();
  if (unit->months != 0) {
    constexpr std::int64_t months_max = 30'000;  // calendars and the texts of times are limited
    if (!is_within(*later, months_max)) return Value();
    return month_begin(*millis, unit->months, *later);
  }
  // 1970 began on a Thursday.
  const std::int64_t shift = unit->name == "week" ? 4 * day_millis : 0;
  return (divide_down(*millis - shift, unit->millis) + *later) * unit->millis + shift;
}

}  // namespace

std::span<const Function> millis_functions() {
  static const Function table[] = {
      {"to_millis",
       "Milliseconds since 1970-01-01T00:00:00Z: of a time, a date, a number of them, or a text "
       "that says one in as much of ISO 8601 as it likes.",
       1,
       1,
       to_epoch_millis,
       {{R"("1970-01-02")", "86400000"},
        {R"(time("1970-01-01T00:00:01.5Z"))", "1500"},
        {R"(date("1970-01-02"))", "86400000"},
        {R"("1971")", "31536000000"},
        {R"("1970/01/01T01:00+01:00")", "0"},
        {R"("1500000000000")", "1500000000000"},
        {"-1.5", "-2"},
        {R"("soon")", "missing"}}},
      {"millis_begin",
       "The beginning of the year, quarter, month, week, day, hour, minute or second that so many "
       "milliseconds since 1970-01-01T00:00:00Z lie in, or of one so many later; in milliseconds.",
       2,
       3,
       millis_begin,
       {{R"(90061001, "day")", "86400000"},
        {R"(-1, "week")", "-259200000"},
        {R"(345600000, "week")", "345600000"},
        {R"(1500000000000, "quarter")", "1498867200000"},
        {R"(1500000000000, "year", 1)", "1514764800000"},
        {R"(0, "month", -1)", "-2678400000"},
        {R"(0, "century")", "missing"}}},
  };
  return table;
}

}  // namespace mayfly
