// Documents that expire one after another by the system's clock.
#pragma once

#include "bench/process.h"

namespace mayfly::bench {

inline constexpr std::uint64_t deaths_per_second = 1'000;
inline constexpr std::uint64_t deaths_of_a_run = 3 * deaths_per_second;

// Writes the documents of one run, whose ids begin with the prefix, into the collection `c` of the
// database `b`; gives their first expiration, some seconds from now.
Instant write_dying(const ServerProcess& server, const std::string& prefix);

}  // namespace mayfly::bench
