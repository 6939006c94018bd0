// Where arriving bytes go, while something is read and while nothing is.
#include "net/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

class ExchangeTest : public ::testing::Test {
 protected:
  // As they come from a socket.
  void receive(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto room = exchange.room();
      const std::size_t n = std::min(bytes.size(), room.size());
      std::copy_n(bytes.begin(), n, room.begin());
      bytes.remove_prefix(n);
      exchange.receive(n);
    }
  }
  void receive_half_of_a_large_body() {
    receive("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n" +
            std::string(100'000, 'x'));
  }

  FakeHandler handler;
  const Listen listen{.name = "test", .handler = &handler};
  const Rules rules{Guard(Cors({}), {}), Marks(nullptr)};
  Exchange exchange{listen, rules, {}};
};

TEST_F(ExchangeTest, WhatIsBeingReadIntoStaysWhereItIs) {
  receive_half_of_a_large_body();
  const auto room = exchange.room();
  exchange.rest();
  EXPECT_EQ(exchange.room().data(), room.data());
  EXPECT_EQ(exchange.room().size(), room.size());
}

TEST_F(ExchangeTest, WhatALargeBodyNeededIsGivenBackOnceNothingIsRead) {
  const std::size_t at_first = exchange.room().size();
  receive_half_of_a_large_body();
  EXPECT_GT(exchange.room().size(), at_first);
  exchange.rest();
  exchange.discard();
  EXPECT_EQ(exchange.room().size(), at_first);
}

}  // namespace
}  // namespace mayfly::net
