// Whether bytes are ASCII or UTF-8 text.
#pragma once

#include <string_view>

namespace mayfly::net {

bool is_ascii(std::string_view text);
// No overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace mayfly::net
