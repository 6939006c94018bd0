// Shared by the encoder and the decoder of sets.
#pragma once

#include <string_view>

namespace mayfly::fauna {

// REACHES CLIENTS: names in cursors, in the order of the alternatives of FqlSet::Node.
inline constexpr std::string_view encoded_set_kinds[] = {"all",      "index",  "where", "map",
                                                         "flat",     "order",  "slice", "reversed",
                                                         "distinct", "concat", "items", "sequence"};

}  // namespace mayfly::fauna
