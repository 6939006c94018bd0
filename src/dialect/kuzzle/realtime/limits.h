// Every bound of real-time subscriptions, each with its reason.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// Where nobody chooses otherwise (options.h); some kilobytes each, with the filter.
inline constexpr std::size_t realtime_rooms_max = 100'000;
inline constexpr std::size_t realtime_filter_bytes_max =
    32 << 20;  // of all filters as texts; what is made of them takes some times that
inline constexpr std::size_t realtime_subscriptions_max =
    1'000'000;  // over all connections; some hundred bytes each
inline constexpr std::size_t realtime_connection_rooms_max = 10'000;  // of one connection
// Writes whose requests are remembered until the feed tells of them; of more, the notifications say
// less about the request.
inline constexpr std::size_t realtime_origins_max = 100'000;

}  // namespace mayfly::limits
