// Percent-encoding of text for a URL.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::net {

// For a segment of a path, or a value of a query string: escapes everything except letters, digits,
// '-', '_' and '~'. decode_percent (router.h) reverses it.
std::string encode_percent(std::string_view text);

}  // namespace mayfly::net
