// The format of responses that a client requests.
#pragma once

#include <cstdint>
#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

enum class Format : std::uint8_t { simple, tagged, decorated };

// Encodes as JSON; the decorated text becomes one string.
std::string encode(const FqlValue& value, Format format);

}  // namespace mayfly::fauna
