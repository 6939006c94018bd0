// Times in ISO 8601 of any precision, from a year to milliseconds.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace mayfly {

struct IsoTime {
  Instant first;  // omitted parts have their earliest value, …
  Instant last;   // … or, for hours, minutes, seconds and milliseconds, their latest
};

// 2026, 2026-09, 2026-09-01 (also with / between). A day may be followed by T or a space and 10,
// 10:11, 10:11:12 or 10:11:12.345, and then by Z or an offset (+02:00, +0200, +02); UTC by default.
// Nullopt for any other text, and beyond the years 0001 to 9999.
std::optional<IsoTime> parse_iso_time(std::string_view text);

}  // namespace mayfly
