// Bounds of what is kept for later pages, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Fewer rows are sorted or grouped again for each page, in a few milliseconds.
inline constexpr std::size_t kept_rows_min = 1'000;
// Of one query: some 200,000 sort positions, or what a group may hold in memory. Larger results are
// computed again for each page.
inline constexpr std::size_t kept_result_bytes_max = 32 << 20;
// Of all queries together; the least recently used result is dropped first.
inline constexpr std::size_t kept_results_bytes_max = 128 << 20;
inline constexpr std::size_t kept_results_max = 256;
// A client that requests its next page later than this pays for another pass.
inline constexpr Span kept_unused_max = Span::seconds(300);

}  // namespace mayfly::limits
