// Bounds of values, each with its reason, beside those of base/limits.h; apart from them because
// every file of the program includes those.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// What a JSON text may take as a value: many times its bytes, where it is brackets. The largest
// document of numbers fits, and the largest body whose members have some 24 bytes each.
inline constexpr std::size_t parsed_bytes_max = 96 << 20;
// A longer text is parsed as long work, so that few are in memory at once.
inline constexpr std::size_t quickly_parsed_bytes_max = 256 << 10;

}  // namespace mayfly::limits
