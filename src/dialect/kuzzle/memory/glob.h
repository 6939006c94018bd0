// Patterns of Redis: `?` is one byte, `*` are any, `[a-c]` and `[^a-c]` one of these or none of
// them, and `\` takes the next byte as it is.
#pragma once

#include <string_view>

#include "base/result.h"

namespace mayfly::kuzzle::memory {

// Fails with too_large over memory_pattern_bytes_max.
Result<void> check_pattern(std::string_view pattern);
// In at most as many steps as the pattern has bytes, for each byte of the text.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace mayfly::kuzzle::memory
