// What may have been meant by a flag that there is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace mayfly::app {

// Those of the known flags that one may have meant: of which it is a part, or which differ by one
// or two letters.
std::vector<std::string> flags_like(std::string_view given, const std::vector<std::string>& known);

// Tells on standard error what may have been meant by the flags that the verb does not know.
void suggest_flags(const CLI::App& verb);

}  // namespace mayfly::app
