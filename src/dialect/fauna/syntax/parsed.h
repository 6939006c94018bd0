// The result of a parser: the parsed object, or all diagnostics of the text, with at least one
// error.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

using Diagnostics = std::vector<Diagnostic>;

// The diagnostics point into the source that was given to the parser.
template <class T>
using Parsed = tl::expected<T, Diagnostics>;

}  // namespace mayfly::fauna
