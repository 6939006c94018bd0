// Checks of a text before toml++ parses it. For some characters outside ASCII the library's search
// for white space has undefined behaviour, and it handles the parts of a name recursively.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// Fails with invalid, and a message that begins with the path and the line, where a character
// outside ASCII is in a place where the library searches for white space: outside of strings and
// comments; behind a backslash, or first behind a line that ends with one; and in a string that is
// joined to the name or number before it. Fails also where a name has too many parts. All other
// faults, such as a string without an end, are left to the library. A byte order mark may begin
// the text.
Result<void> check_toml_text(std::string_view text, const std::string& path);

}  // namespace mayfly
