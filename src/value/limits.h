// Bounds of values, each with its reason, beside those of base/limits.h. They are separate because
// every file of the program includes base/limits.h.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// The memory that a parsed JSON text may take. A text of brackets takes many times its size. The
// largest document of numbers fits, and so does the largest body whose members have some 24 bytes
// each.
inline constexpr std::size_t parsed_bytes_max = 96 << 20;
// A longer text is parsed as long work, so that few are in memory at once.
inline constexpr std::size_t quickly_parsed_bytes_max = 256 << 10;

}  // namespace mayfly::limits
