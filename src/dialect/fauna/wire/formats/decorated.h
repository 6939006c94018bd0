// The decorated format, for display in a shell: FQL with one element per line.
#pragma once

#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Returns the plain text; a response holds it as one JSON string. Documents and sets must be
// ShownDocument and ShownPage. Texts of several lines become heredocs.
std::string encode_decorated(const FqlValue& value);

}  // namespace mayfly::fauna
