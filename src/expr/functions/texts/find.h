// Finding one text in another in time linear in both, whatever they hold.
#pragma once

#include <cstddef>
#include <string_view>

namespace mayfly {

// The byte position of the first occurrence at or behind `from`; npos where there is none.
std::size_t find_text(std::string_view text, std::string_view sought, std::size_t from = 0);
// Of the last occurrence.
std::size_t find_last_text(std::string_view text, std::string_view sought);

}  // namespace mayfly
