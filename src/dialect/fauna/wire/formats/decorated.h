// The decorated format: what a shell shows to people, FQL with one element a line.
#pragma once

#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// The text itself; an answer holds it as one JSON string. Documents and sets come as ShownDocument
// and ShownPage. Texts of several lines are heredocs.
std::string encode_decorated(const FqlValue& value);

}  // namespace mayfly::fauna
