// JSON numbers: parsing, the form in responses, and the form in the store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly {

enum class NumberFault { none, malformed, too_great };

// Parses a token that must be exactly one JSON number. Whole numbers within int64 become integers,
// others reals. A number too small for a double becomes zero, one too large is an error.
NumberFault read_number(std::string_view token, Value& out);
// The text that put_integer or put_stored_real would write for a token, as a part of the token
// itself. Empty if it is cheaper to write the number, or if the token is no number.
std::string_view stored_form(std::string_view token);

void put_integer(std::string& out, std::int64_t n);
// As JavaScript writes it: the shortest digits that read back as the same number; null for NaN and
// infinities.
void put_real(std::string& out, double d);
// The same, but it reads back as a real: 1.0, -0.0. Only for finite numbers.
void put_stored_real(std::string& out, double d);

}  // namespace mayfly
