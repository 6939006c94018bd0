// The facet of a collection whose documents have routing (DocumentKey::routing): an id alone is no
// key there, and whoever lists it looks at the documents of all routings.
#pragma once

#include <string_view>

namespace mayfly {

inline constexpr std::string_view routed_facet = "routed";

}  // namespace mayfly
