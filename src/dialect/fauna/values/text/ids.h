// Parses ids from texts and values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Whether the text consists of decimal digits only and is not empty.
bool is_digits(std::string_view text);

// The whole text as a number of 64 bits: decimal digits with an optional minus. nullopt for other
// texts; documents written by other APIs may have such ids.
std::optional<std::int64_t> id_number(std::string_view text);

// The text of the id that an id, a whole number or the text of a number denotes: `7` for "007". A
// negative number gives a text with a minus, which is the id of no document. nullopt for other
// values.
std::optional<std::string> id_text(const FqlValue& value);

}  // namespace mayfly::fauna
