// Renders names and texts in FQL and FSL.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::fauna {

// In double quotes, with escapes. Parsing it gives the same text.
std::string in_quotes(std::string_view text);
// A valid name unchanged; anything else as a quoted text.
std::string key_text(std::string_view key);

}  // namespace mayfly::fauna
