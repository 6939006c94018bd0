// Parses and renders times as texts, to the tick.
#include "expr/functions/times/ticks.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/functions/texts/case.h"
#include "value/scanner.h"

namespace mayfly {
namespace {

namespace calendar = std::chrono;

constexpr std::int64_t ticks_min = -62'135'596'800 * ticks_per_second;      // 0001-01-01
constexpr std::int64_t ticks_max = 253'402'300'800 * ticks_per_second - 1;  // the end of 9999

std::int64_t scan_ticks(Scanner& in) {
  std::int64_t ticks = 0;
  std::int64_t unit = ticks_per_second / 10;
  do {
    ticks += in.digits(1) * unit;
    unit /= 10;
  } while (in.ok && unit > 0 && !in.rest.empty() && in.rest[0] != 'Z');
  return ticks;
}

std::int64_t scan_ticks_of_day(Scanner& in) {
  const int hour = in.digits(2);
  in.expect(':');
  const int minute = in.digits(2);
  in.expect(':');
  const int second = in.digits(2);
  if (hour > 23 || minute > 59 || second > 59) in.ok = false;
  const std::int64_t seconds = hour * 3'600 + minute * 60 + second;
  return seconds * ticks_per_second + (in.skip('.') ? scan_ticks(in) : 0);
}

}  // namespace

std::optional<Ticks> parse_ticks(std::string_view text) {
  Scanner in{text};
  const calendar::year year{in.digits(4)};
  in.expect('-');
  const calendar::month month{static_cast<unsigned>(in.digits(2))};
  in.expect('-');
  const calendar::day day{static_cast<unsigned>(in.digits(2))};
  const calendar::year_month_day date{year, month, day};
  if (!in.ok || !date.ok() || year < calendar::year{1}) return std::nullopt;
  std::int64_t ticks = calendar::sys_days(date).time_since_epoch().count() * ticks_per_day;
  if (in.skip('T') || in.skip(' ')) ticks += scan_ticks_of_day(in);
  in.skip('Z');
  if (!in.ok || !in.rest.empty()) return std::nullopt;
  return Ticks{ticks};
}

std::optional<Ticks> ticks_of(const Value& text) {
  return text.is(Kind::text) ? parse_ticks(text.text()) : std::nullopt;
}

CivilTime civil(Ticks t) {
  const std::int64_t days = t.count / ticks_per_day - (t.count % ticks_per_day < 0 ? 1 : 0);
  const std::int64_t ticks = t.count - days * ticks_per_day;
  const std::int64_t seconds = ticks / ticks_per_second;
  return {calendar::sys_days(calendar::days(days)), seconds / 3'600, seconds / 60 % 60,
          seconds % 60, ticks % ticks_per_second};
}

Value render_ticks(Int128 ticks) {
  if (ticks < ticks_min || ticks > ticks_max) return Value();
  const CivilTime t = civil({static_cast<std::int64_t>(ticks)});
  return Value(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:07}Z",
                           static_cast<int>(t.date.year()), static_cast<unsigned>(t.date.month()),
                           static_cast<unsigned>(t.date.day()), t.hour, t.minute, t.second,
                           t.fraction));
}

const TimePart time_parts[9] = {
    {{"year", "yyyy", "yy"},
     0,
     12,
     [](const CivilTime& t) { return std::int64_t{static_cast<int>(t.date.year())}; }},
    {{"month", "mm", "m"},
     0,
     1,
     [](const CivilTime& t) { return std::int64_t{static_cast<unsigned>(t.date.month())}; }},
    {{"day", "dd", "d"},
     86'400'000'000'000,
     0,
     [](const CivilTime& t) { return std::int64_t{static_cast<unsigned>(t.date.day())}; }},
    {{"hour", "hh"}, 3'600'000'000'000, 0, [](const CivilTime& t) { return t.hour; }},
    {{"minute", "mi", "n"}, 60'000'000'000, 0, [](const CivilTime& t) { return t.minute; }},
    {{"second", "ss", "s"}, 1'000'000'000, 0, [](const CivilTime& t) { return t.second; }},
    {{"millisecond", "ms"}, 1'000'000, 0, [](const CivilTime& t) { return t.fraction / 10'000; }},
    {{"microsecond", "mcs"}, 1'000, 0, [](const CivilTime& t) { return t.fraction / 10; }},
    {{"nanosecond", "ns"}, 1, 0, [](const CivilTime& t) { return t.fraction * 100; }},
};

const TimePart* time_part_of(const Value& name) {
  if (!name.is(Kind::text)) return nullptr;
  const std::string part_name = to_lower(name.text());
  if (part_name.empty()) return nullptr;
  for (const TimePart& part : time_parts) {
    if (std::find(std::begin(part.names), std::end(part.names), part_name) !=
        std::end(part.names)) {
      return &part;
    }
  }
  return nullptr;
}

}  // namespace mayfly
