// Bounds that only this dialect meets, beside those of base/limits.h.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// A record that a thread of connections writes itself; larger ones are a worker's, as the patterns
// of
// their structure go over all their texts.
inline constexpr std::size_t quick_record_bytes_max = 16 << 10;

}  // namespace mayfly::limits
