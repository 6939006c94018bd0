// How alike two words are, to find what somebody may have meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace mayfly {

// How many letters have to be put, taken or changed to make one text of the other. Takes time in
// the product of their lengths: for names, not for texts of clients.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace mayfly
