// Numbers in JSON text: what is read, what the wire shows, and what the store keeps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly {

enum class NumberFault { none, malformed, too_great };

// Reads a token that must be one JSON number from its first byte to its last. Whole numbers within
// int64 become integers, others reals; one too small for a double becomes zero, one too great is a
// fault.
NumberFault read_number(std::string_view token, Value& out);
// What put_integer or put_stored_real would write for a token, as part of the token itself. Empty
// where that takes longer to find out than to write, or where the token is no number.
std::string_view stored_form(std::string_view token);

void put_integer(std::string& out, std::int64_t n);
// As JavaScript writes it: the shortest digits that read back the same; null for NaN and
// infinities.
void put_real(std::string& out, double d);
// The same, but so that it reads back as a real: 1.0, -0.0. Only for finite numbers.
void put_stored_real(std::string& out, double d);

}  // namespace mayfly
