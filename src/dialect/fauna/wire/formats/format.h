// In which format a client wants its answers.
#pragma once

#include <cstdint>
#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

enum class Format : std::uint8_t { simple, tagged, decorated };

// JSON; the decorated text as one string.
std::string encode(const FqlValue& value, Format format);

}  // namespace mayfly::fauna
