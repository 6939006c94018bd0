// Which characters may be in a header of an answer.
#include "net/http1/response_head.h"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

namespace mayfly::net {
namespace {

std::string head_with(const std::string& value) {
  Response response{.status = 204, .headers = {{"X-Value", value}}};
  std::string head;
  render_head(response, {"now", "id"}, Persistence::keep_alive, Framing::length, head);
  return head;
}

TEST(ResponseHeadTest, AHeaderHasNoControlCharacterAtAnyPosition) {
  for (std::size_t length = 1; length <= 20; ++length) {
    for (std::size_t position = 0; position < length; ++position) {
      for (int byte = 0; byte < 256; ++byte) {
        const bool is_control = (byte < 0x20 && byte != '\t') || byte == 0x7F;
        std::string value(length, 'v');
        value[position] = static_cast<char>(byte);
        const std::string expected = is_control ? std::string(length - 1, 'v') : value;
        ASSERT_EQ(head_with(value), "HTTP/1.1 204 No Content\r\nX-Value: " + expected +
                                        "\r\nDate: now\r\nX-Request-Id: id\r\n\r\n")
            << byte << " at " << position << " of " << length;
      }
    }
  }
}

}  // namespace
}  // namespace mayfly::net
