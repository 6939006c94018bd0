// Glob patterns of Redis: `?` is any one byte, `*` any bytes, `[a-c]` and `[^a-c]` one byte in or
// not in the set, and `\` escapes the next byte.
#pragma once

#include <string_view>

#include "base/result.h"

namespace mayfly::kuzzle::memory {

// Fails with too_large over memory_pattern_bytes_max.
Result<void> check_pattern(std::string_view pattern);
// Takes at most as many steps for each byte of the text as the pattern has bytes.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace mayfly::kuzzle::memory
