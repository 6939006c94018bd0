// Bounds that only this dialect meets, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mayfly::limits {

inline constexpr std::size_t forecast_slots_max = 400;     // a year in days
inline constexpr std::int64_t feed_wait_seconds_max = 60;  // of one request for events to come

}  // namespace mayfly::limits
