// What is common to encoding sets and decoding them.
#pragma once

#include <string_view>

namespace mayfly::fauna {

// REACHES CLIENTS: names in cursors. As the alternatives of FqlSet::Node.
inline constexpr std::string_view carried_kinds[] = {"all",      "index",  "where", "map",
                                                     "flat",     "order",  "slice", "reversed",
                                                     "distinct", "concat", "items", "sequence"};

}  // namespace mayfly::fauna
