// Times as texts in ISO 8601, to the tick of 100 nanoseconds, for JSON documents without a kind for
// instants. UTC, years 0001 to 9999.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly {

inline constexpr std::int64_t ticks_per_second = 10'000'000;
inline constexpr std::int64_t ticks_per_day = 86'400 * ticks_per_second;

using Int128 = __int128;  // nanoseconds of ten thousand years do not fit 64 bits

inline Int128 floor_divide(Int128 a, Int128 b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

// Since 1970-01-01T00:00:00Z.
struct Ticks {
  std::int64_t count = 0;
};

// 2026-09-01, also with Z; or followed by T or a space and a time: 10:11:12, a fraction of one to
// seven digits, Z. Nullopt for any other text.
std::optional<Ticks> parse_ticks(std::string_view text);
std::optional<Ticks> ticks_of(const Value& text);
// 2026-09-01T10:11:12.0000000Z; missing beyond the years 0001 to 9999.
Value render_ticks(Int128 ticks);

struct CivilTime {
  std::chrono::year_month_day date;
  std::int64_t hour;
  std::int64_t minute;
  std::int64_t second;
  std::int64_t fraction;  // ticks
};
CivilTime civil(Ticks t);

// A part of a time, as functions name it.
struct TimePart {
  std::string_view names[3];  // in lower case; unused ones are empty
  std::int64_t nanos = 0;     // its length; 0: a part of the calendar, counted in months
  int months = 0;
  std::int64_t (*of)(const CivilTime&) = nullptr;  // its value
};
// Year, month, day and so on to the nanosecond.
extern const TimePart time_parts[9];
// Null if no part has that name, in either case.
const TimePart* time_part_of(const Value& name);

}  // namespace mayfly
