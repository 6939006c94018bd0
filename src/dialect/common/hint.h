// The header with which a response says that a lifetime in the request has no effect, or another
// effect than its client may expect. Clients that do not know the header ignore it.
#pragma once

#include <string_view>

namespace mayfly {

inline constexpr std::string_view hint_header = "x-mayfly-hint";

}  // namespace mayfly
