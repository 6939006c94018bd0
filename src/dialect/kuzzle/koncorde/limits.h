// All bounds on a Koncorde filter, each with its reason.
#pragma once

#include <cstddef>

namespace mayfly::limits {

inline constexpr std::size_t koncorde_depth_max = 16;    // operators within operators
inline constexpr std::size_t koncorde_leaves_max = 256;  // in one filter; each may be evaluated
inline constexpr std::size_t koncorde_values_max =
    1'024;  // in one `in`; each becomes an index entry
inline constexpr std::size_t koncorde_pattern_bytes_max = 1'000;
// The steps that all regular expressions of one filter take for each character of a text in the
// worst case, and the characters of a text that they are matched against. Together they keep one
// evaluation below a part of a second.
inline constexpr std::size_t koncorde_pattern_steps_max = 2'000;
inline constexpr std::size_t koncorde_pattern_text_max = 64 << 10;
inline constexpr std::size_t koncorde_text_bytes_max =
    64 << 10;  // of one filter; it is kept in memory

}  // namespace mayfly::limits
