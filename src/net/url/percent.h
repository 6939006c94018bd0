// Text as a part of a URL.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::net {

// A segment of a path, or a value of a query string: all but letters, digits, '-', '_' and '~' is
// escaped. decode_percent (router.h) reads it back.
std::string encode_percent(std::string_view text);

}  // namespace mayfly::net
