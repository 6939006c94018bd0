// What a store of ours says of itself. REACHES DISK. A store of another format is refused.
#pragma once

#include <string_view>

namespace mayfly {

inline constexpr std::string_view format_name = "mayfly 1";

}  // namespace mayfly
