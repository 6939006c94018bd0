// UTF-8: what is text, and how other bytes are shown.
#include "net/utf8.h"

#include <gtest/gtest.h>

namespace mayfly::net {
namespace {

const std::string R = "\xEF\xBF\xBD";

// The rows are those of the WHATWG's decoder.
TEST(Utf8Test, WhatIsNoTextIsReplaced) {
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},
      {"plain text of more than eight bytes", "plain text of more than eight bytes"},
      {"é€😀", "é€😀"},
      {"\xFF\xFE{}", R + R + "{}"},
      {"a\x80", "a" + R},
      {"\xC3(", R + "("},
      {"\xE2\x82", R},
      {"\xE2\x82z", R + "z"},
      {"\xF0\x9F\x98", R},
      {"\xC0\xAF", R + R},                  // overlong
      {"\xE0\x80\x80", R + R + R},          // overlong
      {"\xED\xA0\x80", R + R + R},          // a surrogate
      {"\xF4\x90\x80\x80", R + R + R + R},  // beyond U+10FFFF
      {"\xC3\xA9\xC3", "é" + R},
  };
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(valid_utf8(bytes), text) << bytes;
    EXPECT_EQ(is_utf8(bytes), bytes == text) << bytes;
    EXPECT_TRUE(is_utf8(text));
  }
}

}  // namespace
}  // namespace mayfly::net
