// Every bound that a Koncorde filter can meet, each with its reason.
#pragma once

#include <cstddef>

namespace mayfly::limits {

inline constexpr std::size_t koncorde_depth_max = 16;      // operators within operators
inline constexpr std::size_t koncorde_leaves_max = 256;    // of one filter; each may be evaluated
inline constexpr std::size_t koncorde_values_max = 1'024;  // of one `in`: each is an entry to find
inline constexpr std::size_t koncorde_pattern_bytes_max = 1'000;
// What all regular expressions of one filter take for each character of a text at worst, and of how
// many characters a text is held against them; so no evaluation takes more than a part of a second.
inline constexpr std::size_t koncorde_pattern_steps_max = 2'000;
inline constexpr std::size_t koncorde_pattern_text_max = 64 << 10;
inline constexpr std::size_t koncorde_text_bytes_max = 64 << 10;  // of one filter, kept in memory

}  // namespace mayfly::limits
