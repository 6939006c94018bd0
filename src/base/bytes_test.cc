// Tests of bytes.h: decoding returns what was encoded, and the ordered encodings keep the order.
#include "base/bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <vector>

#include "base/crypto/crypto.h"

namespace mayfly {
namespace {

template <class Put, class T>
Bytes encoded(Put put, const T& value) {
  Bytes out;
  put(out, value);
  return out;
}

TEST(BytesTest, NumbersAreBigEndian) {
  EXPECT_EQ(encode_hex(encoded(put_u32, 0x01020304U)), "01020304");
  EXPECT_EQ(encode_hex(encoded(put_u64, 0x0102030405060708ULL)), "0102030405060708");
}

TEST(BytesTest, SignedNumbersHaveTheirSignFlipped) {
  EXPECT_EQ(encode_hex(encoded(put_i64, std::numeric_limits<std::int64_t>::min())),
            "0000000000000000");
  EXPECT_EQ(encode_hex(encoded(put_i64, -1)), "7fffffffffffffff");
  EXPECT_EQ(encode_hex(encoded(put_i64, 0)), "8000000000000000");
}

TEST(BytesTest, VarintsAreShortForSmallNumbers) {
  const std::vector<std::pair<std::uint64_t, std::string>> rows = {
      {0, "00"},     {1, "01"},
      {127, "7f"},   {128, "8001"},
      {300, "ac02"}, {std::numeric_limits<std::uint64_t>::max(), "ffffffffffffffffff01"},
  };
  for (const auto& [n, hex] : rows) EXPECT_EQ(encode_hex(encoded(put_varint, n)), hex) << n;
}

TEST(BytesTest, AnEscapedTextTerminatesItself) {
  EXPECT_EQ(encode_hex(encoded(put_escaped, BytesView("a\0b", 3))), "6100ff620001");
  EXPECT_EQ(encode_hex(encoded(put_escaped, "")), "0001");
}

RC_GTEST_PROP(BytesPropertyTest, DecodingReturnsTheEncodedValues,
              (std::uint32_t a, std::uint64_t b, std::int64_t c, const std::string& d)) {
  Bytes out;
  put_u32(out, a);
  put_u64(out, b);
  put_i64(out, c);
  put_varint(out, b);
  put_text(out, d);
  put_escaped(out, d);
  put_escaped(out, d);
  Reader reader(out);
  RC_ASSERT(reader.u32() == a);
  RC_ASSERT(reader.u64() == b);
  RC_ASSERT(reader.i64() == c);
  RC_ASSERT(reader.varint() == b);
  RC_ASSERT(reader.text() == d);
  RC_ASSERT(reader.escaped() == d);
  RC_ASSERT(reader.escaped_raw() == encoded(put_escaped, d));
  RC_ASSERT(reader.done());
}

RC_GTEST_PROP(BytesPropertyTest, SignedNumbersKeepTheirOrder, (std::int64_t a, std::int64_t b)) {
  RC_ASSERT((a < b) == (encoded(put_i64, a) < encoded(put_i64, b)));
}

// Few different bytes, so that prefixes and escapes are common.
RC_GTEST_PROP(BytesPropertyTest, EscapedTextsKeepTheirOrderBeforeAnySuffix, ()) {
  const auto texts = rc::gen::container<std::string>(rc::gen::element('\x00', '\x01', '\xFF', 'a'));
  const auto a = *texts;
  const auto b = *texts;
  const auto after = *texts;
  if (a != b) {
    RC_ASSERT((a < b) == (encoded(put_escaped, a) + after < encoded(put_escaped, b)));
  }
}

TEST(ReaderTest, AReadPastTheEndFailsAllLaterReads) {
  Reader reader(BytesView("\x01\x02", 2));
  EXPECT_EQ(reader.u8(), 1);
  EXPECT_EQ(reader.u32(), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0);
  EXPECT_EQ(reader.text(), "");
  EXPECT_FALSE(reader.done());
}

TEST(ReaderTest, MalformedBytesAreNotOk) {
  const std::vector<std::pair<const char*, void (*)(Reader&)>> rows = {
      {"ffffffffffffffffffff01", [](Reader& r) { r.varint(); }},  // too long
      {"ffffffffffffffffff02", [](Reader& r) { r.varint(); }},    // more than 64 bits
      {"80", [](Reader& r) { r.varint(); }},                      // without an end
      {"0561", [](Reader& r) { r.text(); }},                      // shorter than it says
      {"ffffffffffffffffff0161", [](Reader& r) { r.text(); }},    // much shorter
      {"61", [](Reader& r) { r.escaped(); }},                     // without an end
      {"6100", [](Reader& r) { r.escaped(); }},
      {"6100550001", [](Reader& r) { r.escaped(); }},  // a zero byte that is not escaped
      {"00ff", [](Reader& r) { r.escaped(); }},
      {"", [](Reader& r) { r.u8(); }},
  };
  for (const auto& [hex, read] : rows) {
    const Bytes bytes = decode_hex(hex).value();
    Reader reader(bytes);
    read(reader);
    EXPECT_FALSE(reader.ok()) << hex;
  }
}

TEST(AfterPrefixTest, ItIsTheLeastKeyAfterAllWithThePrefix) {
  EXPECT_EQ(after_prefix("ab"), "ac");
  EXPECT_EQ(after_prefix("a\xFF\xFF"), "b");
  EXPECT_EQ(after_prefix("\xFF\xFF"), "");
  EXPECT_EQ(after_prefix(""), "");
  EXPECT_EQ(after_prefix("a\x7F"), "a\x80");
}

}  // namespace
}  // namespace mayfly
