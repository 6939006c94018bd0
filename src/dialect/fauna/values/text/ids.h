// The digits of ids: what a value or text says of the id that it stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Whether the text is of decimal digits alone, and has some.
bool is_digits(std::string_view text);

// The number that the whole text writes: decimal digits, perhaps behind a minus, of 64 bits.
// Nothing of other texts, as documents of other origin have.
std::optional<std::int64_t> id_number(std::string_view text);

// The text of the id that an id, a whole number or the text of one stands for: `7` of "007". It
// begins with a minus where the number is negative, which no document has. Nothing of other values.
std::optional<std::string> id_text(const FqlValue& given);

}  // namespace mayfly::fauna
