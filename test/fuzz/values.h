// Makes values from bytes, for targets whose input is a value and not a text. Any bytes give a
// value, and a change of a byte changes a small part of it.
#pragma once

#include <bit>
#include <cmath>
#include <string>

#include "base/bytes.h"
#include "value/json/tokens.h"
#include "value/value.h"

namespace mayfly::fuzz {

inline constexpr int value_depth_max = 6;

// Up to 31 bytes. If they are not UTF-8, each byte stands for one character.
inline std::string take_short_text(Reader& in) {
  const BytesView bytes = in.take(std::min<std::size_t>(in.u8() % 32, in.rest().size()));
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte >= 0x80) text.push_back(static_cast<char>(0xC0 | byte >> 6));
    text.push_back(static_cast<char>(byte >= 0x80 ? 0x80 | (byte & 0x3F) : byte));
  }
  return text;
}

// A number near a power of two, where integers and reals differ.
inline Value take_hard_number(Reader& in) {
  const int power = in.u8() % 66;
  const int by = static_cast<std::int8_t>(in.u8());
  if (in.u8() % 2 == 0) return std::ldexp(1.0 + by / 256.0, power) * (by % 2 == 0 ? 1 : -1);
  const std::uint64_t whole = power < 64 ? std::uint64_t{1} << power : 0;
  return static_cast<std::int64_t>(whole + static_cast<std::uint64_t>(by));
}

inline Value take_value(Reader& in, int depth = value_depth_max);

inline Object take_object(Reader& in, int depth) {
  Object members;
  for (int count = in.u8() % 8; count > 0 && !in.rest().empty(); --count) {
    std::string name = take_short_text(in);
    members.set(name, take_value(in, depth - 1));
  }
  return members;
}

inline Value take_value(Reader& in, int depth) {
  switch (in.u8() % (depth > 0 ? 16 : 14)) {
    case 0: return Missing();
    case 1: return Null();
    case 2: return false;
    case 3: return true;
    case 4: return static_cast<std::int8_t>(in.u8());
    case 5: return in.i64();
    case 6: return std::bit_cast<double>(in.u64());
    case 7: return take_hard_number(in);
    case 8:
    case 9: return take_short_text(in);
    case 10: return Instant{in.i64()};
    case 11: return Date{static_cast<std::int32_t>(in.u32())};
    case 12: return Binary{Bytes(in.take(std::min<std::size_t>(in.u8() % 32, in.rest().size())))};
    case 13: {
      std::string collection = take_short_text(in);
      return Reference{std::move(collection), take_short_text(in)};
    }
    case 14: {
      Array items;
      for (int count = in.u8() % 8; count > 0 && !in.rest().empty(); --count) {
        items.push_back(take_value(in, depth - 1));
      }
      return items;
    }
    default: return take_object(in, depth);
  }
}

}  // namespace mayfly::fuzz
