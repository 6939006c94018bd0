// Instants and calendar days, in UTC. A result outside the years 0001 to 9999 is missing.
#include <chrono>
#include <cmath>
#include <optional>

#include "expr/functions/families.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

namespace calendar = std::chrono;
constexpr std::int64_t day_micros = 86'400'000'000;

Value checked(Instant t) {
  return t < limits::instant_min || t > limits::instant_max ? Value() : Value(t);
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The instant of a text, time or date (a date: its first).
std::optional<Instant> instant_of(const Value& value) {
  if (value.is(Kind::time)) return value.time();
  if (value.is(Kind::date)) return Instant{value.date().days * day_micros};
  return std::nullopt;
}

calendar::year_month_day day_of(Instant t) {
  return calendar::sys_days(calendar::days(floor_quotient(t.micros, day_micros)));
}

std::int64_t micros_of_day(Instant t) {
  return t.micros - floor_quotient(t.micros, day_micros) * day_micros;
}

// --- units ---

struct TimeUnit {
  std::string_view name;
  std::int64_t micros = 0;  // 0: a unit of the calendar, counted in months
  int months = 0;
};
constexpr TimeUnit time_units[] = {
    {"microsecond", 1},       {"millisecond", 1'000},  {"second", 1'000'000},
    {"minute", 60'000'000},   {"hour", 3'600'000'000}, {"day", day_micros},
    {"week", 7 * day_micros}, {"month", 0, 1},         {"year", 0, 12}};

// By its name, in the singular or the plural.
const TimeUnit* time_unit(const Value& name) {
  if (!name.is(Kind::text)) return nullptr;
  std::string_view unit_name = name.text();
  if (unit_name.ends_with('s')) unit_name.remove_suffix(1);
  for (const TimeUnit& unit : time_units) {
    if (unit.name == unit_name) return &unit;
  }
  return nullptr;
}

// The time n months later, on the same day of the month or else its last.
Value months_later(Instant t, std::int64_t n) {
  constexpr std::int64_t months_max = 120'000;  // more than there are between the years 1 and 9999
  if (n > months_max || n < -months_max) return Value();
  const calendar::year_month_day from = day_of(t);
  const calendar::year_month month =
      calendar::year_month(from.year(), from.month()) + calendar::months(n);
  const calendar::day last = (month / calendar::last).day();
  const calendar::sys_days days = month / std::min(from.day(), last);
  return checked(Instant{days.time_since_epoch().count() * day_micros + micros_of_day(t)});
}

Result<Value> time_add(const Arguments& a) {
  const auto t = instant_of(a[0]);
  const TimeUnit* unit = time_unit(a[2]);
  if (!t || unit == nullptr || !a[1].is_number()) return Value();
  if (unit->months != 0) {
    if (!a[1].is(Kind::integer) || std::abs(a[1].number()) > 1e6) return Value();
    return months_later(*t, a[1].integer() * unit->months);
  }
  if (a[1].is(Kind::integer)) {
    const __int128 sum = static_cast<__int128>(a[1].integer()) * unit->micros + t->micros;
    return checked(Instant{detail::saturate(sum)});
  }
  const double micros = std::trunc(a[1].real() * static_cast<double>(unit->micros));
  if (!(std::abs(micros) < 1e18)) return Value();
  return checked(*t + Span{static_cast<std::int64_t>(micros)});
}

std::int64_t months_between(Instant from, Instant to) {
  const calendar::year_month_day a = day_of(from);
  const calendar::year_month_day b = day_of(to);
  std::int64_t months = (static_cast<int>(b.year()) - static_cast<int>(a.year())) * 12 +
                        static_cast<int>(static_cast<unsigned>(b.month())) -
                        static_cast<int>(static_cast<unsigned>(a.month()));
  const auto within = [](const calendar::year_month_day& d, Instant t) {
    return std::pair(static_cast<unsigned>(d.day()), micros_of_day(t));
  };
  if (months > 0 && within(b, to) < within(a, from)) --months;
  if (months < 0 && within(b, to) > within(a, from)) ++months;
  return months;
}

Result<Value> time_difference(const Arguments& a) {
  const auto to = instant_of(a[0]);
  const auto from = instant_of(a[1]);
  const TimeUnit* unit = time_unit(a[2]);
  if (!to || !from || unit == nullptr) return Value();
  if (unit->months != 0) return months_between(*from, *to) / unit->months;
  return (*to - *from).micros / unit->micros;
}

// --- text and numbers ---

Result<Value> parse_time(const Arguments& a) {
  if (a[0].is(Kind::time)) return a[0];
  if (!a[0].is(Kind::text)) return Value();
  const Result<Instant> t = parse_rfc3339(a[0].text());
  return t ? Value(*t) : Value();
}

Result<Value> parse_day(const Arguments& a) {
  if (a[0].is(Kind::date)) return a[0];
  if (!a[0].is(Kind::text)) return Value();
  const Result<Date> date = parse_date(a[0].text());
  return date ? Value(*date) : Value();
}

Result<Value> render_time(const Arguments& a) {
  if (a[0].is(Kind::date)) return Value(render_date(a[0].date()));
  return a[0].is(Kind::time) ? Value(render_rfc3339(a[0].time())) : Value();
}

Result<Value> date_of(const Arguments& a) {
  if (!a[0].is(Kind::time)) return Value();
  return Value(Date{static_cast<std::int32_t>(floor_quotient(a[0].time().micros, day_micros))});
}

Result<Value> to_micros(const Arguments& a) {
  const auto t = instant_of(a[0]);
  return t ? Value(t->micros) : Value();
}

Result<Value> from_micros(const Arguments& a) {
  return a[0].is(Kind::integer) ? checked(Instant{a[0].integer()}) : Value();
}

// --- parts ---

template <std::int64_t (*part)(Instant)>
Result<Value> part_of(const Arguments& a) {
  const auto t = instant_of(a[0]);
  return t ? Value(part(*t)) : Value();
}

std::int64_t year(Instant t) {
  return static_cast<int>(day_of(t).year());
}
std::int64_t month(Instant t) {
  return static_cast<unsigned>(day_of(t).month());
}
std::int64_t day(Instant t) {
  return static_cast<unsigned>(day_of(t).day());
}
std::int64_t hour(Instant t) {
  return micros_of_day(t) / 3'600'000'000;
}
std::int64_t minute(Instant t) {
  return micros_of_day(t) / 60'000'000 % 60;
}
std::int64_t second(Instant t) {
  return micros_of_day(t) / 1'000'000 % 60;
}
std::int64_t microsecond(Instant t) {
  return micros_of_day(t) % 1'000'000;
}
std::int64_t day_of_week(Instant t) {
  return calendar::weekday(calendar::sys_days(day_of(t))).iso_encoding();
}
std::int64_t day_of_year(Instant t) {
  const calendar::sys_days first = day_of(t).year() / calendar::January / 1;
  return (calendar::sys_days(day_of(t)) - first).count() + 1;
}

Function with_unit(std::string_view name, std::string_view summary,
                   Result<Value> (*apply)(const Arguments&), std::vector<Example> examples) {
  return {name, summary, 3, 3, apply, std::move(examples)};
}

}  // namespace

std::span<const Function> time_functions() {
  static const Function table[] = {
      unary("parse_time", "The instant that a text says in RFC 3339.", parse_time,
            {{R"("2026-09-01T02:00:00+02:00")", R"(time("2026-09-01T00:00:00Z"))"},
             {R"("2026-09-01")", "missing"}}),
      unary("parse_date", "The calendar day that a text says.", parse_day,
            {{R"("2026-09-01")", R"(date("2026-09-01"))"}, {R"("2026-13-01")", "missing"}}),
      unary("render_time", "An instant in RFC 3339, or a calendar day as text.", render_time,
            {{R"(time("2026-09-01T00:00:00.5Z"))", R"("2026-09-01T00:00:00.500Z")"},
             {R"(date("2026-09-01"))", R"("2026-09-01")"}}),
      unary("date_of", "The calendar day of an instant.", date_of,
            {{R"(time("1969-12-31T23:00:00Z"))", R"(date("1969-12-31"))"}}),
      with_unit(
          "time_add",
          "So many microseconds, milliseconds, seconds, minutes, hours, days, weeks, months or "
          "years later.",
          time_add,
          {{R"(time("2026-01-31T12:00:00Z"), 1, "month")", R"(time("2026-02-28T12:00:00Z"))"},
           {R"(time("2026-01-01T00:00:00Z"), -1.5, "hours")", R"(time("2025-12-31T22:30:00Z"))"},
           {R"(time("2024-02-29T00:00:00Z"), 1, "year")", R"(time("2025-02-28T00:00:00Z"))"},
           {R"(time("9999-12-31T00:00:00Z"), 2, "days")", "missing"},
           {R"(time("2026-01-01T00:00:00Z"), 1, "fortnight")", "missing"}}),
      with_unit("time_difference", "How many whole units the first is later than the second.",
                time_difference,
                {{R"(time("2026-01-02T00:00:00Z"), time("2026-01-01T12:00:00Z"), "hours")", "12"},
                 {R"(time("2026-01-01T00:00:00Z"), time("2026-01-01T00:00:01Z"), "days")", "0"},
                 {R"(date("2026-03-30"), date("2026-01-31"), "months")", "1"},
                 {R"(date("2024-02-28"), date("2026-02-28"), "years")", "-2"}}),
      unary("year", "The year.", part_of<year>, {{R"(time("2026-09-01T10:11:12Z"))", "2026"}}),
      unary("month", "The month, 1 to 12.", part_of<month>, {{R"(date("2026-09-01"))", "9"}}),
      unary("day", "The day of the month.", part_of<day>, {{R"(date("2026-09-01"))", "1"}}),
      unary("hour", "The hour.", part_of<hour>, {{R"(time("1969-12-31T23:11:12Z"))", "23"}}),
      unary("minute", "The minute.", part_of<minute>, {{R"(time("2026-09-01T10:11:12Z"))", "11"}}),
      unary("second", "The second.", part_of<second>, {{R"(time("2026-09-01T10:11:12Z"))", "12"}}),
      unary("microsecond", "The microseconds behind the second.", part_of<microsecond>,
            {{R"(time("2026-09-01T10:11:12.25Z"))", "250000"}}),
      unary("day_of_week", "The day of the week, 1 (Monday) to 7.", part_of<day_of_week>,
            {{R"(date("2026-09-01"))", "2"}}),
      unary("day_of_year", "The day of the year, from 1.", part_of<day_of_year>,
            {{R"(date("2026-03-01"))", "60"}}),
      unary("to_micros", "Microseconds since 1970-01-01T00:00:00Z.", to_micros,
            {{R"(time("1970-01-01T00:00:01Z"))", "1000000"}, {R"("x")", "missing"}}),
      unary("from_micros", "The instant so many microseconds after 1970-01-01T00:00:00Z.",
            from_micros, {{"-1", R"(time("1969-12-31T23:59:59.999999Z"))"}}),
  };
  return table;
}

}  // namespace mayfly
