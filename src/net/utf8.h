// Whether bytes are ASCII or UTF-8 text, and the text of bytes that are not.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::net {

bool is_ascii(std::string_view text);
// No overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);
// The text with U+FFFD in place of what is not UTF-8: once for each byte that begins no character,
// and once for all the bytes of a character that is cut off. This is how browsers decode.
std::string valid_utf8(std::string text);

}  // namespace mayfly::net
