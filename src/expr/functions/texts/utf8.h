// Counts code points. Malformed UTF-8 is counted byte by byte: never an error, never out of bounds.
#pragma once

#include <cstddef>
#include <string_view>

namespace mayfly {

inline bool begins_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

inline std::size_t count_code_points(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += begins_code_point(c) ? 1 : 0;
  return n;
}

// The byte position of the n-th code point after `from`; the end of the text if there are fewer.
inline std::size_t skip_code_points(std::string_view text, std::size_t n, std::size_t from = 0) {
  std::size_t at = from;
  for (; n > 0 && at < text.size(); --n) {
    ++at;
    while (at < text.size() && !begins_code_point(text[at])) ++at;
  }
  return at;
}

inline bool is_ascii(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

}  // namespace mayfly
