// The words of a text: its runs of letters, digits, the marks upon them, and underscores, in small
// letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mayfly {

std::vector<std::string> words_of(std::string_view text);

}  // namespace mayfly
