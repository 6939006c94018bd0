// Paths as written in definitions of containers: /a/b and /"a b"/c. Source: spec cosmos.md,
// sections 8.2 and 21.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "value/path.h"

namespace mayfly::cosmos {

// Names only: no wildcard, no item of an array, no slash at the end. Fails with invalid and the
// service's message.
Result<Path> parse_key_path(std::string_view text);
std::string render_key_path(const Path& path);
// The path in the one spelling that render_key_path() has: /"a" is /a. A text that is no path is
// given unchanged.
std::string plain_key_path(std::string_view text);

}  // namespace mayfly::cosmos
