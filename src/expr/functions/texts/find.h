// Finds one text in another, in time linear in both for any contents.
#pragma once

#include <cstddef>
#include <string_view>

namespace mayfly {

// The byte position of the first occurrence at or after `from`; npos if there is none.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from = 0);
// The same for the last occurrence.
std::size_t find_last_text(std::string_view text, std::string_view needle);

}  // namespace mayfly
