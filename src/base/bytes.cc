#include "base/bytes.h"

#include <endian.h>

#include <cstring>

namespace mayfly {

void put_u32(Bytes& out, std::uint32_t n) {
  const std::uint32_t big = htobe32(n);
  out.append(reinterpret_cast<const char*>(&big), sizeof big);
}

void put_u64(Bytes& out, std::uint64_t n) {
  const std::uint64_t big = htobe64(n);
  out.append(reinterpret_cast<const char*>(&big), sizeof big);
}

void put_i64(Bytes& out, std::int64_t n) {
  put_u64(out, static_cast<std::uint64_t>(n) ^ (std::uint64_t{1} << 63));
}

void put_varint(Bytes& out, std::uint64_t n) {
  while (n >= 0x80) {
    out.push_back(static_cast<char>(n | 0x80));
    n >>= 7;
  }
  out.push_back(static_cast<char>(n));
}

void put_text(Bytes& out, BytesView text) {
  put_varint(out, text.size());
  out.append(text);
}

void put_escaped(Bytes& out, BytesView text) {
  for (const char c : text) {
    out.push_back(c);
    if (c == '\0') out.push_back('\xFF');
  }
  out.push_back('\0');
  out.push_back('\x01');
}

BytesView Reader::take(std::size_t n) {
  if (n > rest_.size()) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  const BytesView taken = rest_.substr(0, n);
  rest_.remove_prefix(n);
  return taken;
}

std::uint8_t Reader::u8() {
  const BytesView b = take(1);
  return b.empty() ? 0 : static_cast<std::uint8_t>(b[0]);
}

std::uint32_t Reader::u32() {
  const BytesView b = take(4);
  std::uint32_t big = 0;
  if (!b.empty()) std::memcpy(&big, b.data(), sizeof big);
  return be32toh(big);
}

std::uint64_t Reader::u64() {
  const BytesView b = take(8);
  std::uint64_t big = 0;
  if (!b.empty()) std::memcpy(&big, b.data(), sizeof big);
  return be64toh(big);
}

std::int64_t Reader::i64() {
  const std::uint64_t n = u64();
  return ok_ ? static_cast<std::int64_t>(n ^ (std::uint64_t{1} << 63)) : 0;
}

std::uint64_t Reader::varint() {
  std::uint64_t n = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t b = u8();
    if (!ok_) return 0;
    if (shift == 63 && b > 1) break;  // a bit more than 64
    n |= static_cast<std::uint64_t>(b & 0x7F) << shift;
    if (b < 0x80) return n;
  }
  ok_ = false;
  return 0;
}

BytesView Reader::text() {
  const std::uint64_t n = varint();
  return take(n);
}

BytesView Reader::escaped_raw() {
  for (std::size_t i = 0; i + 1 < rest_.size(); ++i) {
    if (rest_[i] != '\0') continue;
    if (rest_[i + 1] == '\x01') return take(i + 2);
    if (rest_[i + 1] != '\xFF') break;
    ++i;
  }
  ok_ = false;
  rest_ = {};
  return {};
}

Bytes Reader::escaped() {
  const BytesView raw = escaped_raw();
  Bytes text;
  if (raw.size() < 2) return text;
  text.reserve(raw.size() - 2);
  for (std::size_t i = 0; i + 2 < raw.size(); ++i) {
    text.push_back(raw[i]);
    if (raw[i] == '\0') ++i;
  }
  return text;
}

Bytes after_prefix(BytesView prefix) {
  Bytes next(prefix);
  while (!next.empty() && next.back() == '\xFF') next.pop_back();
  if (!next.empty()) ++next.back();
  return next;
}

}  // namespace mayfly
