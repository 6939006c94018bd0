// Functions on texts of the wire.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::cosmos {

std::string to_lower(std::string_view text);  // ASCII letters only
bool equal_in_any_case(std::string_view a, std::string_view b);
std::string_view without_quotes(std::string_view text);
// For a header: characters that are not ASCII are %-escaped.
std::string in_ascii(std::string_view text);

}  // namespace mayfly::cosmos
