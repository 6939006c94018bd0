// What a store of ours says of itself. REACHES DISK. A store of another format is refused.
#pragma once

#include <string_view>

namespace mayfly {

inline constexpr std::string_view format_name = "mayfly 2";
// It lacks what has left the indexes. A version that writes it would not keep that, so the first
// start of this one renames it before anything else.
inline constexpr std::string_view format_before = "mayfly 1";

}  // namespace mayfly
