// Bounds that several dialects meet, beside those of base/limits.h; apart from them because every
// file of the program includes those.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// Fields that one request selects: each is looked up in every document of a page, and a thousand
// documents take half a second with as many.
inline constexpr std::size_t selected_fields_max = 256;

}  // namespace mayfly::limits
