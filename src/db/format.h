// What a store of ours says of itself. REACHES DISK. A store of another format is refused.
#pragma once

#include <string_view>

namespace mayfly {

inline constexpr std::string_view format_name = "mayfly 2";
// It lacks what has left the indexes. Whoever writes it would not keep that, and so this version
// renames it before anything else.
inline constexpr std::string_view format_before = "mayfly 1";

}  // namespace mayfly
