// Bounds of this dialect only, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mayfly::limits {

inline constexpr std::size_t forecast_slots_max = 400;     // a year in days
inline constexpr std::int64_t feed_wait_seconds_max = 60;  // of one long poll of the feed

}  // namespace mayfly::limits
