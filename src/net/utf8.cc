// The well-formed sequences of RFC 3629.
#include "net/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mayfly::net {
namespace {

struct Sequence {
  std::size_t length;         // 0: no character begins like this
  unsigned char low = 0x80;   // what the second byte may be: keeps out overlong forms,
  unsigned char high = 0xBF;  // surrogates and what lies beyond U+10FFFF
};

Sequence sequence_of(unsigned char first) {
  if (first < 0x80) return {1};
  if (first < 0xC2) return {0};
  if (first < 0xE0) return {2};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first < 0xF0) return {3};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first < 0xF4) return {4};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

// How many leading bytes of `text` fit the character that its first byte begins.
std::size_t fitting_bytes(std::string_view text, const Sequence& expected) {
  std::size_t k = 1;
  for (; k < expected.length && k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte < (k == 1 ? expected.low : 0x80) || byte > (k == 1 ? expected.high : 0xBF)) break;
  }
  return k;
}

// How many leading bytes of `text` are ASCII, counted in words of eight.
std::size_t ascii_words(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  std::size_t i = 0;
  for (std::uint64_t word = 0; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  return i;
}

}  // namespace

bool is_ascii(std::string_view text) {
  const std::string_view rest = text.substr(ascii_words(text));
  return std::all_of(rest.begin(), rest.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = ascii_words(text); i < text.size();) {
    const Sequence expected = sequence_of(static_cast<unsigned char>(text[i]));
    if (expected.length == 0 || fitting_bytes(text.substr(i), expected) < expected.length) {
      return false;
    }
    i += expected.length;
  }
  return true;
}

std::string valid_utf8(std::string text) {
  if (is_utf8(text)) return text;
  std::string valid;
  for (std::string_view rest = text; !rest.empty();) {
    const Sequence expected = sequence_of(static_cast<unsigned char>(rest[0]));
    const std::size_t bytes = expected.length == 0 ? 1 : fitting_bytes(rest, expected);
    const bool is_whole = bytes == expected.length;
    valid += is_whole ? rest.substr(0, bytes) : std::string_view("\xEF\xBF\xBD");
    rest.remove_prefix(bytes);
  }
  return valid;
}

}  // namespace mayfly::net
