// Dates in queries: milliseconds, ISO 8601, and date math: "now-1d/d", "2026-01-01||+1M".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "value/value.h"

namespace mayfly::kuzzle::search {

// How the missing or rounded parts of a date are filled.
enum class Rounding { down, up };

// Milliseconds since 1970. Nothing if it is not a date.
std::optional<std::int64_t> parse_date(std::string_view text, Instant now, Rounding rounding);
// Also of numbers.
std::optional<std::int64_t> date_of(const Value& value, Instant now, Rounding rounding);
// Whether a text has the form of a date, and could not be a number or a word.
bool looks_like_date(std::string_view text);

// "2017-07-14T02:40:00.000Z"
std::string render_date(std::int64_t millis);

}  // namespace mayfly::kuzzle::search
