// Converts the case of letters by the rules of Unicode, independent of language.
#pragma once

#include <string>
#include <string_view>

namespace mayfly {

std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);
// A common form of all texts that differ only in case.
std::string fold_case(std::string_view text);

}  // namespace mayfly
