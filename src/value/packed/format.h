// Constants of the packed format; packed.h has the grammar.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mayfly {

inline constexpr char packed_format = 1;
inline constexpr char packed_has_wrappers = 1;
inline constexpr std::size_t packed_entry_bytes = 4;
inline constexpr std::uint32_t packed_position_max = (1U << 24) - 1;
inline constexpr std::uint32_t packed_long_name = 255;

}  // namespace mayfly
