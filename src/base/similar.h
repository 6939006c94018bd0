// How similar two words are, to suggest what a user may have meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace mayfly {

// How many letters must be inserted, deleted or replaced to turn one text into the other. Takes
// time in the product of their lengths: for names, not for clients' texts.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace mayfly
