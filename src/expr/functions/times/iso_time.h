// Times as people write them: ISO 8601 with as much of it as they like.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace mayfly {

struct IsoTime {
  Instant first;  // what is not written is as early as can be, …
  Instant last;   // … or of hours, minutes, seconds and milliseconds as late as can be
};

// 2026, 2026-09, 2026-09-01 (also with / between), and behind a day T or a space with 10, 10:11,
// 10:11:12 or 10:11:12.345, and Z or an offset (+02:00, +0200, +02); UTC where none is written.
// Years 0001 to 9999.
std::optional<IsoTime> parse_iso_time(std::string_view text);

}  // namespace mayfly
