#include "value/hashing/key_hash.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/check.h"
#include "base/crypto/crypto.h"
#include "value/hashing/murmur3.h"

namespace mayfly {
namespace {

// Type bytes of components.
constexpr char missing_type = '\x00';
constexpr char null_type = '\x01';
constexpr char false_type = '\x02';
constexpr char true_type = '\x03';
constexpr char number_type = '\x05';
constexpr char text_type = '\x08';

constexpr std::size_t v1_characters_max = 100;
constexpr unsigned v1_shift = 30;  // version 1 has 32 of the 62 bits of a position

std::string upper_hex(BytesView bytes) {
  std::string hex = encode_hex(bytes);
  const auto upper = [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; };
  std::transform(hex.begin(), hex.end(), hex.begin(), upper);
  return hex;
}

char type_of(const Value& component) {
  if (component.is_missing()) return missing_type;
  if (component.is_null()) return null_type;
  if (component.is(Kind::boolean)) return component.boolean() ? true_type : false_type;
  if (component.is_number()) return number_type;
  CHECK(component.is(Kind::text));
  return text_type;
}

// The characters of a text that version 1 hashes.
std::string_view first_characters(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = static_cast<std::uint8_t>(text[i]) >> 6 != 2;
    if (begins && ++characters > v1_characters_max) return text.substr(0, i);
  }
  return text;
}

// The hashed bytes: the type byte, then a number's 8 bytes in little-endian order, or a text and
// its terminator.
Bytes hashed_bytes(const Value& component, char text_end) {
  Bytes bytes(1, type_of(component));
  if (component.is_number()) {
    Bytes number;
    put_u64(number, std::bit_cast<std::uint64_t>(component.number()));
    bytes.append(number.rbegin(), number.rend());
  }
  if (component.is(Kind::text)) bytes.append(component.text()).push_back(text_end);
  return bytes;
}

// --- version 1 ---

// Encodes a number so that bytes sort as numbers do, and as short as possible: seven bits in each
// byte, whose lowest bit says that another byte follows.
void put_ordered(Bytes& out, double number) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  std::uint64_t rest = (bits & sign) == 0 ? bits ^ sign : ~bits + 1;
  out.push_back(number_type);
  out.push_back(static_cast<char>(rest >> 56));
  rest <<= 8;
  Bytes groups;
  for (; rest != 0; rest <<= 7) groups.push_back(static_cast<char>(rest >> 56 | 1));
  if (!groups.empty()) groups.back() = static_cast<char>(groups.back() & 0xFE);
  if (!groups.empty() && groups.back() == 0) groups.pop_back();
  out.append(groups);
}

void put_v1_component(Bytes& out, const Value& component) {
  if (component.is_number()) return put_ordered(out, component.number());
  out.push_back(type_of(component));
  if (!component.is(Kind::text)) return;
  const std::string_view text = component.text();
  const std::string_view kept = first_characters(text);
  const bool is_cut = kept.size() < text.size();
  // A truncated text includes one byte more, and no terminator.
  for (const char c : text.substr(0, kept.size() + (is_cut ? 1 : 0))) {
    out.push_back(c == '\xFF' ? c : static_cast<char>(c + 1));
  }
  if (!is_cut) out.push_back('\0');
}

std::string hash_v1(const Value& component) {
  Value hashed = component;
  if (component.is(Kind::text)) hashed = first_characters(component.text());
  Bytes bytes;
  put_ordered(bytes, murmur3_32(hashed_bytes(hashed, '\x00')));
  put_v1_component(bytes, component);
  return upper_hex(bytes);
}

// --- version 2 ---

std::string hash_v2(const Value& component) {
  const auto [low, high] = murmur3_128(hashed_bytes(component, '\xFF'));
  Bytes bytes;
  put_u64(bytes, high);
  put_u64(bytes, low);
  bytes[0] = static_cast<char>(bytes[0] & 0x3F);
  return upper_hex(bytes);
}

}  // namespace

Value hashed_component(const Value& value) {
  if (value.is_number() && value.number() == 0) return Value(0);  // -0 is the same key
  const bool is_hashed =
      value.is_null() || value.is(Kind::boolean) || value.is_number() || value.is(Kind::text);
  return is_hashed ? value : Value();
}

std::string key_hash(KeyHashVersion version, std::span<const Value> components) {
  std::string hash;
  for (const Value& component : components) {
    if (version == KeyHashVersion::v1) return hash_v1(hashed_component(component));
    hash += hash_v2(hashed_component(component));
  }
  return hash;
}

// In version 2, a position is the first eight bytes of a hash; the bound is the last hash before
// it.
std::string key_hash_at(KeyHashVersion version, std::uint64_t position) {
  CHECK(position <= key_positions);
  if (position == 0) return {};
  if (position == key_positions) return "FF";
  Bytes bytes;
  if (version == KeyHashVersion::v1) {
    put_ordered(bytes, static_cast<double>(position >> v1_shift));
  } else {
    put_u64(bytes, position - 1);
    put_u64(bytes, ~std::uint64_t{0});
  }
  return upper_hex(bytes);
}

}  // namespace mayfly
