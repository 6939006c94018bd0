// The buffer for arriving bytes, while a read is in progress and while none is.
#include "net/http1/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

void respond_with(Http1Exchange& exchange, Response response) {
  exchange.respond(response, false);
}

class ExchangeTest : public ::testing::Test {
 protected:
  // Passes bytes as if they came from a socket.
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
    receive("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" +
            std::string(100'000, 'x'));
  }

  FakeHandler handler;
  const ListenerOptions listener{.name = "test", .host = "127.0.0.1", .handler = &handler};
  const Rules rules{Guard(Cors({}), {}), ResponseStamps(nullptr)};
  Http1Exchange exchange{{listener, rules}};
};

TEST_F(ExchangeTest, ABufferDoesNotMoveDuringARead) {
  receive_half_of_a_large_body();
  const auto room = exchange.room();
  exchange.rest();
  EXPECT_EQ(exchange.room().data(), room.data());
  EXPECT_EQ(exchange.room().size(), room.size());
}

TEST_F(ExchangeTest, TheBufferShrinksAfterALargeBodyOnceNothingIsRead) {
  const std::size_t at_first = exchange.room().size();
  receive_half_of_a_large_body();
  EXPECT_GT(exchange.room().size(), at_first);
  exchange.rest();
  exchange.discard();
  EXPECT_EQ(exchange.room().size(), at_first);
}

TEST_F(ExchangeTest, TheBufferIsSmallWhileAResponseIsStreamed) {
  const std::size_t at_first = exchange.room().size();
  receive("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  exchange.enter();
  respond_with(exchange, exchange.answer());
  exchange.rest_in_stream();
  EXPECT_LT(exchange.room().size(), at_first);
  exchange.discard();
  exchange.leave();
  exchange.next();
  EXPECT_EQ(exchange.room().size(), at_first);
}

TEST_F(ExchangeTest, AHandlerBeginsEachRequestOnce) {
  receive("POST /bounded HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(handler.times_begun, 1);
  EXPECT_FALSE(exchange.refuse_head());
  receive("abc");
  exchange.enter();
  EXPECT_FALSE(exchange.is_urgent());
  EXPECT_EQ(exchange.pace(), Pace::quick);
  respond_with(exchange, exchange.answer());
  exchange.record_answer();
  EXPECT_EQ(handler.times_begun, 1);
  EXPECT_EQ(handler.under_way, 1);
  exchange.leave();
  EXPECT_EQ(handler.under_way, 0);
  exchange.next();
  receive("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  EXPECT_EQ(handler.times_begun, 2);
}

TEST_F(ExchangeTest, AHandlersOwnBoundOnABodyAppliesIfItsPortAcceptsMore) {
  receive("POST /bounded HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n\r\nabcd");
  const Response response = exchange.answer();
  EXPECT_EQ(response.body, "too_large");
}

TEST_F(ExchangeTest, ABodyOverItsHandlersOwnBoundIsRefusedByTheHead) {
  receive("POST /bounded HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n\r\n");
  const auto refused = exchange.refuse_head();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->body, "too_large");
}

TEST_F(ExchangeTest, IfNoAnswerIsPossibleNowOnlyUrgentRequestsAreAnswered) {
  handler.is_late = true;
  receive("GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  EXPECT_EQ(exchange.answer().body, "timed_out");
  exchange.next();
  receive("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  EXPECT_EQ(exchange.answer().body, "GET /health ");
}

TEST_F(ExchangeTest, ALargeSharedBodyIsSentWithoutACopy) {
  auto kept = std::make_shared<const std::string>(1 << 20, 'x');
  receive("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  respond_with(exchange, {.content_type = "text/plain", .view = {*kept, kept}});
  EXPECT_EQ(kept.use_count(), 2);
  EXPECT_EQ(exchange.unsent()[1].data(), kept->data());
  EXPECT_EQ(exchange.unsent()[1].size(), kept->size());
  EXPECT_NE(exchange.unsent()[0].find("Content-Length: 1048576\r\n"), std::string_view::npos);
  EXPECT_EQ(exchange.held_bytes(), 0U);
  exchange.sent(exchange.unsent_bytes());
  exchange.next();
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(ExchangeTest, ASharedBodyIsNotSentForHeadAndIsCopiedIfShort) {
  static const std::string large(1 << 20, 'x');
  receive("HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  respond_with(exchange, {.content_type = "text/plain", .view = {large}});
  EXPECT_NE(exchange.unsent()[0].find("Content-Length: 1048576\r\n"), std::string_view::npos);
  EXPECT_EQ(exchange.unsent()[1], "");
  exchange.next();
  receive("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  respond_with(exchange, {.content_type = "text/plain", .view = {"short"}});
  EXPECT_TRUE(exchange.unsent()[0].ends_with("\r\n\r\nshort"));
  EXPECT_EQ(exchange.unsent()[1], "");
}

TEST_F(ExchangeTest, AnAbandonedRequestLeaves) {
  {
    Http1Exchange other{{listener, rules}};
    const std::string request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    std::copy(request.begin(), request.end(), other.room().begin());
    other.receive(request.size());
    other.enter();
    EXPECT_EQ(handler.under_way, 1);
  }
  EXPECT_EQ(handler.under_way, 0);
}

}  // namespace
}  // namespace mayfly::net
