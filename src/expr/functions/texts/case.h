// Letters in another case, by the rules of Unicode without regard to a language.
#pragma once

#include <string>
#include <string_view>

namespace mayfly {

std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);
// What texts that differ in case only have in common.
std::string fold_case(std::string_view text);

}  // namespace mayfly
