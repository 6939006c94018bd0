// Shortens texts in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace mayfly {

// The longest prefix of whole characters that has at most `bytes_max` bytes.
inline std::string_view truncate_utf8(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  const auto is_within_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (bytes_max > 0 && is_within_character(bytes_max)) --bytes_max;
  return text.substr(0, bytes_max);
}

}  // namespace mayfly
