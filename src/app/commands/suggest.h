// Suggestions for unknown flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace mayfly::app {

// The known flags that the user may have meant: those that contain `text`, or differ from it by
// one or two letters.
std::vector<std::string> flags_like(std::string_view text, const std::vector<std::string>& known);

// Prints to standard error which flags may have been meant by those that the verb does not know.
void suggest_flags(const CLI::App& verb);

}  // namespace mayfly::app
