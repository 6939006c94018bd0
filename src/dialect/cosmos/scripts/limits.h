// Bounds of single operations of the engine, beside those of dialect/cosmos/limits.h.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// The length of a text times that of what is searched in it: the engine's search is quadratic, and
// nothing interrupts it. A second at worst; in the longest text a thousand characters can be
// sought.
inline constexpr std::size_t script_search_work_max = std::size_t{1} << 31;

}  // namespace mayfly::limits
