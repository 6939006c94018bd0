// How names and texts are written in FQL and FSL.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::fauna {

// In double quotes, with escapes: reading it gives the text again.
std::string in_quotes(std::string_view text);
// A name as it is; what is none as a text.
std::string key_text(std::string_view key);

}  // namespace mayfly::fauna
