// Encodes numbers and texts into bytes that sort in the order of the values. Keys consist of these
// encodings; the grammar of each key is in db/rows/keys.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mayfly {

using Bytes = std::string;
using BytesView = std::string_view;

// Big-endian, fixed width: unsigned order is byte order.
void put_u32(Bytes& out, std::uint32_t n);
void put_u64(Bytes& out, std::uint64_t n);
// Signed 64-bit with the sign bit flipped, so that negative numbers come first.
void put_i64(Bytes& out, std::int64_t n);
// LEB128: short for small numbers; not ordered.
void put_varint(Bytes& out, std::uint64_t n);
// A varint length, then the bytes; not ordered.
void put_text(Bytes& out, BytesView text);
// Terminates itself and keeps the order: a 00 byte becomes 00 FF, and 00 01 ends the text.
void put_escaped(Bytes& out, BytesView text);

// Reads what the functions above wrote, from the front. A read past the end, or of malformed bytes,
// sets ok() to false for good and returns zero or an empty text. What later reads return has no
// meaning, but is always within the bytes. So callers check once, at the end. Views point into the
// bytes, which must outlive them.
class Reader {
 public:
  explicit Reader(BytesView bytes) : rest_(bytes) {}

  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  std::int64_t i64();
  std::uint64_t varint();
  BytesView text();
  Bytes escaped();
  // Skips what put_escaped wrote; returns its encoded bytes with the terminator.
  BytesView escaped_raw();
  BytesView take(std::size_t n);
  BytesView rest() const { return rest_; }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }

 private:
  BytesView rest_;
  bool ok_ = true;
};

// The least key greater than every key that begins with `prefix`; empty if there is none.
Bytes after_prefix(BytesView prefix);

}  // namespace mayfly
