// Bounds of what is kept for further pages, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Fewer rows are sorted or grouped again for each page, in a few milliseconds.
inline constexpr std::size_t kept_rows_min = 1'000;
// Of one query: some 200,000 places, or what a group may hold in memory. Larger ones are made again
// for each page.
inline constexpr std::size_t kept_result_bytes_max = 32 << 20;
// Of all queries together; what has gone unused for longest makes way.
inline constexpr std::size_t kept_results_bytes_max = 128 << 20;
inline constexpr std::size_t kept_results_max = 256;
// A client that asks for its next page later than that pays for another pass.
inline constexpr Span kept_unused_max = Span::seconds(300);

}  // namespace mayfly::limits
