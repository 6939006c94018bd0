// Conversations over WebSockets, with the client of Beast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/streams/shared_text.h"
#include "net/test_client.h"
#include "net/websocket/bounded_conversation.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Repeats what it receives, and does what the message says.
class EchoConversation final : public BoundedConversation {
 public:
  EchoConversation(std::shared_ptr<WebSocketSender> sender, FakeHandler& handler)
      : sender_(std::move(sender)), handler_(handler) {}

  bool receive(std::string message) override {
    handler_.answered_on = std::this_thread::get_id();
    message_ = std::move(message);
    if (message_ == "login") bytes_max_ = 200'000;
    return message_ != "slow" && !is_costly();
  }
  bool is_costly() const override { return message_.starts_with("costly"); }
  std::size_t message_bytes_max() const override { return bytes_max_; }
  std::size_t held_bytes() const override {
    return message_.size() * (message_.starts_with("heavy") ? 100 : 1);
  }
  void answer(Instant answer_by) override {
    EXPECT_FALSE(answer_by.is_never());
    if (message_ == "busy" && NoWait::refuses()) return;
    if (message_ == "slow") handler_.gate.pass();
    if (is_costly()) handler_.costly_gate.pass();
    if (message_ == "write") handler_.durability->write();
    if (message_ == "throw") throw std::bad_alloc();
    if (message_ == "logout") bytes_max_ = 1'000;
    if (message_ == "long") message_ = std::string(300'000, 'x');
    if (message_ == "vast") message_ = std::string(30'000'000, 'x');
    if (!sender_->answer("heard " + message_)) sender_->answer("no room");
    if (message_.size() > 200'000) message_ = {};
  }
  std::optional<std::string> answer_ping(std::string_view message) const override {
    if (message != "there?") return std::nullopt;
    return "here";
  }
  void refuse(const Error& error) override {
    message_.clear();
    sender_->answer(std::string("refused ") + name_of(error.code));
  }

 private:
  std::shared_ptr<WebSocketSender> sender_;
  FakeHandler& handler_;
  std::size_t bytes_max_ = 200'000;
  std::string message_;
};

class WebSocketHandler final : public SimpleHandler {
 public:
  explicit WebSocketHandler(FakeHandler& handler) : handler_(handler) {}
  Response answer(const Request& request) override {
    if (!is_websocket_handshake(request)) return handler_.answer(request);
    return {.conversation = [this](std::shared_ptr<WebSocketSender> sender) {
      const std::lock_guard lock(mutex_);
      senders_.push_back(sender);
      return std::make_unique<EchoConversation>(std::move(sender), handler_);
    }};
  }
  Response refuse(const Error& error) const override { return handler_.refuse(error); }
  std::size_t body_bytes_max() const override { return handler_.body_bytes_max(); }
  std::shared_ptr<WebSocketSender> sender() {
    const std::lock_guard lock(mutex_);
    return senders_.back();
  }

 private:
  FakeHandler& handler_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<WebSocketSender>> senders_;
};

class WebSocketClient {
 public:
  explicit WebSocketClient(std::uint16_t port, const std::string& origin = {}) : stream_(context_) {
    asio::ip::tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    stream_.next_layer().connect(endpoint);
    stream_.read_message_max(64 << 20);
    const timeval timeout{20, 0};
    setsockopt(stream_.next_layer().native_handle(), SOL_SOCKET, SO_RCVTIMEO, &timeout,
               sizeof timeout);
    if (!origin.empty()) {
      stream_.set_option(websocket::stream_base::decorator(
          [origin](websocket::request_type& request) { request.set("Origin", origin); }));
    }
    stream_.control_callback([this](websocket::frame_type type, beast::string_view) {
      if (type == websocket::frame_type::pong) ++pongs;
      if (type == websocket::frame_type::ping) ++pings;
    });
    websocket::response_type response;
    stream_.handshake(response, "127.0.0.1", "/", failure);
    status = static_cast<int>(response.result_int());
  }
  void send(const std::string& message) { stream_.write(asio::buffer(message), failure); }
  void send_in_two(const std::string& first, const std::string& second) {
    stream_.write_some(false, asio::buffer(first), failure);
    stream_.write_some(true, asio::buffer(second), failure);
  }
  void ping() { stream_.ping("there?", failure); }
  std::string receive() {
    beast::flat_buffer buffer;
    stream_.read(buffer, failure);
    if (failure) return "failed: " + failure.message();
    return beast::buffers_to_string(buffer.data());
  }
  std::string ask(const std::string& message) {
    send(message);
    return receive();
  }
  // The server's close code.
  int end_code() {
    receive();
    return failure == websocket::error::closed ? stream_.reason().code : 0;
  }
  void close() { stream_.close(websocket::close_code::normal, failure); }
  int number() { return stream_.next_layer().native_handle(); }

  beast::error_code failure;
  int status = 0;
  int pongs = 0;
  int pings = 0;

 private:
  asio::io_context context_;
  websocket::stream<asio::ip::tcp::socket> stream_;
};

class WebSocketTest : public ServerTest {
 protected:
  void start() {
    options.listeners = {{"test", "127.0.0.1", 0, &websocket_handler}};
    auto started = Server::start(options);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
    port = server->ports().at(0);
  }
  bool streams_are(std::uint64_t open) {
    return becomes_true([this, open] { return server->stats().streams_open == open; });
  }
  WebSocketHandler websocket_handler{handler};
};

TEST_F(WebSocketTest, MessagesAreAnsweredInOrderBesideHttp) {
  start();
  WebSocketClient client(port);
  EXPECT_EQ(client.status, 101);
  EXPECT_EQ(client.ask("one"), "heard one");
  for (int i = 0; i < 100; ++i) client.send(std::to_string(i));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.receive(), "heard " + std::to_string(i));
  const std::string large(150'000, 'x');
  EXPECT_EQ(client.ask(large), "heard " + large);
  Client http_client(port);
  EXPECT_EQ(http_client.ask(get("/")), ok("GET / "));
  client.close();
  EXPECT_FALSE(client.failure) << client.failure.message();
  EXPECT_TRUE(streams_are(0));
}

TEST_F(WebSocketTest, WorkersAnswerSlowMessagesAndLaterOnesWait) {
  start();
  WebSocketClient client(port);
  WebSocketClient other(port);
  client.send("slow");
  client.send("next");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  EXPECT_EQ(other.ask("one"), "heard one");
  handler.gate.open();
  EXPECT_EQ(client.receive(), "heard slow");
  EXPECT_EQ(client.receive(), "heard next");
}

TEST_F(WebSocketTest, PingsAreAnsweredOnceWhileAMessageIsBeingAnswered) {
  start();
  WebSocketClient client(port);
  client.send("slow");
  client.send("next");
  client.ping();
  client.send("there?");
  EXPECT_EQ(client.receive(), "here");
  EXPECT_EQ(client.pongs, 1);
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  client.send("there?");  // sent after the others have arrived
  EXPECT_EQ(client.receive(), "here");
  EXPECT_EQ(server->stats().requests_waiting, 1U);  // a ping does not answer it
  handler.gate.open();
  EXPECT_EQ(client.receive(), "heard slow");
  EXPECT_EQ(client.receive(), "heard next");
  EXPECT_EQ(client.ask("last"), "heard last");
  EXPECT_EQ(client.pongs, 1);
  EXPECT_EQ(client.ask("there?"), "here");
}

TEST_F(WebSocketTest, AMessageInSeveralFramesIsNotAPing) {
  start();
  WebSocketClient client(port);
  client.send("slow");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  client.send_in_two("the", "re?");
  client.ping();
  client.send("there?");
  EXPECT_EQ(client.receive(), "here");
  handler.gate.open();
  EXPECT_EQ(client.receive(), "heard slow");
  EXPECT_EQ(client.receive(), "heard there?");
  EXPECT_EQ(client.ask("last"), "heard last");
  EXPECT_EQ(client.pongs, 1);
}

TEST_F(WebSocketTest, MessagesThatFillTheBufferBehindACostlyOneWait) {
  options.threads = 1;
  options.workers = 1;
  handler.costly_gate.open();
  start();
  WebSocketClient busy(port);
  WebSocketClient client(port);
  WebSocketClient other(port);
  busy.send("slow");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  const std::string costly = "costly" + std::string(limits::quick_body_bytes_max, 'x');
  const std::string more(30'000, 'x');
  client.send(costly);
  for (int i = 0; i < 10; ++i) client.send(more);
  // Meanwhile, the loop has read as much as fits.
  for (int i = 0; i < 50; ++i) EXPECT_EQ(other.ask("one"), "heard one");
  handler.gate.open();
  EXPECT_EQ(client.receive(), "heard " + costly);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(client.receive(), "heard " + more);
}

TEST_F(WebSocketTest, PingsDoNotWaitForTheDisk) {
  options.durability = &durability;
  handler.durability = &durability;
  start();
  WebSocketClient client(port);
  client.send("write");
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  client.ping();
  EXPECT_EQ(client.ask("there?"), "here");
  EXPECT_EQ(client.pongs, 1);
  client.send("slow");
  EXPECT_EQ(client.ask("there?"), "here");
  handler.gate.open();
  durability.gate.open();
  EXPECT_EQ(client.receive(), "heard write");
  EXPECT_EQ(client.receive(), "heard slow");
}

TEST_F(WebSocketTest, AMessageThatWouldWaitIsAnsweredOnceByAWorker) {
  options.workers = 1;
  start();
  WebSocketClient client(port);
  WebSocketClient other(port);
  other.send("slow");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  client.send("busy");
  client.send("next");
  handler.gate.open();
  EXPECT_EQ(other.receive(), "heard slow");
  EXPECT_EQ(client.receive(), "heard busy");
  EXPECT_EQ(client.receive(), "heard next");
}

TEST_F(WebSocketTest, AnAnswerIsSentOnlyWhenItIsDurable) {
  options.durability = &durability;
  handler.durability = &durability;
  start();
  WebSocketClient client(port);
  client.send("write");
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  pollfd one{client.number(), POLLIN, 0};
  EXPECT_EQ(poll(&one, 1, 50), 0);
  durability.gate.open();
  EXPECT_EQ(client.receive(), "heard write");
}

TEST_F(WebSocketTest, TheServerMaySendWithoutARequest) {
  start();
  WebSocketClient client(port);
  ASSERT_TRUE(streams_are(1));
  EXPECT_EQ(client.ask("one"), "heard one");
  const auto sender = websocket_handler.sender();
  EXPECT_TRUE(sender->send("news"));
  EXPECT_EQ(client.receive(), "news");
  client.close();
  ASSERT_TRUE(streams_are(0));
  EXPECT_FALSE(sender->is_open());
  EXPECT_FALSE(sender->send("late"));
}

TEST_F(WebSocketTest, AClientThatDoesNotReadIsDisconnected) {
  start();
  WebSocketClient client(port);
  EXPECT_EQ(client.ask("one"), "heard one");
  const auto sender = websocket_handler.sender();
  const std::string news(60'000, 'x');
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(sender->send(news)) << "one write makes so much known";
  EXPECT_TRUE(becomes_true([&] { return !sender->send(news); }));
  EXPECT_TRUE(streams_are(0));
  EXPECT_EQ(server->stats().streams_overrun, 1U);
}

TEST_F(WebSocketTest, LongAnswersDoNotCountAsNotReading) {
  start();
  WebSocketClient client(port);
  for (int i = 0; i < 20; ++i) client.send("long");
  EXPECT_EQ(client.ask("last").size(), 300'006U);
  EXPECT_TRUE(websocket_handler.sender()->send("news"));
  std::vector<std::string> begins;
  for (int i = 0; i < 21; ++i) begins.push_back(client.receive().substr(0, 10));
  EXPECT_THAT(begins, testing::IsSupersetOf({"heard last", "news"}));
  EXPECT_EQ(server->stats().streams_overrun, 0U);
}

TEST_F(WebSocketTest, PingsAreAnsweredAndSilentClientsArePinged) {
  options.ping_every = Span::millis(50);
  options.idle_time_max = Span::millis(20);  // so that the server checks often
  start();
  WebSocketClient client(port);
  client.ping();
  EXPECT_EQ(client.ask("one"), "heard one");
  EXPECT_EQ(client.pongs, 1);
  // A client that reads answers pings; one that does not is disconnected.
  while (client.pings < 3) {
    const auto before = client.pings;
    ASSERT_TRUE(becomes_true([&] {
      pollfd one{client.number(), POLLIN, 0};
      return poll(&one, 1, 1'000) == 1;
    }));
    EXPECT_EQ(client.ask("again"), "heard again");
    ASSERT_GT(client.pings, before);
  }
  EXPECT_TRUE(streams_are(0));
}

TEST_F(WebSocketTest, AMessageThatIsTooLongEndsIt) {
  start();
  WebSocketClient client(port);
  client.send(std::string(200'001, 'x'));
  EXPECT_EQ(client.end_code(), 1009);
  EXPECT_TRUE(streams_are(0));
}

TEST_F(WebSocketTest, AConversationBoundsItsNextMessage) {
  start();
  WebSocketClient client(port);
  const std::string message(1'001, 'x');
  EXPECT_EQ(client.ask("logout"), "heard logout");
  EXPECT_EQ(client.ask("login"), "heard login");
  EXPECT_EQ(client.ask(message), "heard " + message);
  EXPECT_EQ(client.ask("logout"), "heard logout");
  client.send(message);
  EXPECT_EQ(client.end_code(), 1009);
}

TEST_F(WebSocketTest, LargeMessagesGoToWorkersAndAreRefusedUnparsed) {
  options.workers = 1;
  options.workers_queue_max = 1;
  start();
  WebSocketClient client(port);
  const std::string quick(limits::quick_body_bytes_max, 'x');
  const std::string large = quick + 'x';
  EXPECT_EQ(client.ask(quick), "heard " + quick);
  const std::thread::id loop = handler.answered_on;
  EXPECT_EQ(client.ask(large), "heard " + large);
  EXPECT_NE(handler.answered_on, loop);
  WebSocketClient first(port);
  WebSocketClient second(port);
  first.send("slow");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  second.send("slow");
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 2; }));
  EXPECT_EQ(client.ask(large), "refused throttled");
  EXPECT_EQ(client.ask("one"), "heard one");
  handler.gate.open();
  EXPECT_EQ(first.receive(), "heard slow");
  EXPECT_EQ(second.receive(), "heard slow");
}

TEST_F(WebSocketTest, MemoryThatAConversationKeepsIsCounted) {
  start();
  WebSocketClient client(port);
  const std::string large(150'000, 'x');
  EXPECT_EQ(client.ask(large), "heard " + large);
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 150'000; }));
  EXPECT_EQ(client.ask("one"), "heard one");
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes < 100; }));
}

TEST_F(WebSocketTest, TheFirstSubprotocolThatIsNamedIsChosen) {
  start();
  const std::string handshake =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ";
  const auto answered = [&](const std::string& named) {
    return Client(port).ask(get("/", handshake + named + "\r\n"), false);
  };
  EXPECT_THAT(answered("null"), HasSubstr("\r\nSec-WebSocket-Protocol: null\r\n"));
  EXPECT_THAT(answered("spoken, other"), HasSubstr("\r\nSec-WebSocket-Protocol: spoken\r\n"));
  EXPECT_THAT(answered("not a token"), Not(HasSubstr("Sec-WebSocket-Protocol")));
}

TEST_F(WebSocketTest, AnInternalErrorIsAnsweredAndTheConversationContinues) {
  start();
  WebSocketClient client(port);
  EXPECT_EQ(client.ask("throw"), "refused internal");
  EXPECT_EQ(client.ask("one"), "heard one");
}

TEST_F(WebSocketTest, MessagesBeyondTheBoundOfWorkersAreRefused) {
  options.workers = 1;
  options.workers_queue_max = 1;
  start();
  WebSocketClient first(port);
  WebSocketClient second(port);
  WebSocketClient third(port);
  first.send("slow");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  second.send("slow");
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 2; }));
  EXPECT_EQ(third.ask("slow"), "refused throttled");
  EXPECT_EQ(server->stats().requests_overloaded, 1U);
  handler.gate.open();
  EXPECT_EQ(first.receive(), "heard slow");
  EXPECT_EQ(second.receive(), "heard slow");
}

TEST_F(WebSocketTest, AStoppingServerClosesAfterTheMessageInProgress) {
  start();
  WebSocketClient idle(port);
  WebSocketClient busy(port);
  EXPECT_EQ(idle.ask("one"), "heard one");
  busy.send("slow");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  std::thread stopping([this] { server->stop(); });
  EXPECT_EQ(idle.end_code(), 1001);
  handler.gate.open();
  EXPECT_EQ(busy.receive(), "heard slow");
  EXPECT_EQ(busy.end_code(), 1001);
  stopping.join();
}

TEST_F(WebSocketTest, OnlyCompleteHandshakesOfPermittedOriginsAreAnswered) {
  start();
  EXPECT_EQ(WebSocketClient(port, "http://localhost:3000").status, 101);
  EXPECT_EQ(WebSocketClient(port, "https://elsewhere.example").status, 403);
  const std::string upgrade = "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n";
  const std::string key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const std::string version = "Sec-WebSocket-Version: 13\r\n";
  Client client(port);
  EXPECT_THAT(client.ask(get("/", upgrade + key)), StartsWith("HTTP/1.1 426 "));
  EXPECT_THAT(client.ask(get("/", upgrade + version)), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(client.ask(get("/", "Upgrade: websocket\r\n" + key + version)),
              StartsWith("HTTP/1.1 400 "));
  // The example of RFC 6455, section 1.3; and a client that sends a message before it has received
  // the handshake.
  client.send(get("/", upgrade + key + version) + std::string("\x81\x82\0\0\0\0hi", 8));
  EXPECT_EQ(client.read_until("\r\n\r\n"),
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n");
  EXPECT_EQ(client.read_bytes(10), "\x81\x08heard hi");
}

TEST_F(WebSocketTest, CostlyMessagesHaveASeparateThreadAndBounds) {
  options.workers = 1;
  options.costly_of_client_max = 1;
  start();
  handler.gate.open();
  WebSocketClient client(port);
  WebSocketClient other(port);
  client.send("costly");
  ASSERT_TRUE(becomes_true([this] { return handler.costly_gate.arrived() == 1; }));
  EXPECT_EQ(other.ask("one"), "heard one");
  EXPECT_EQ(other.ask("slow"), "heard slow");  // the one worker is free
  EXPECT_EQ(other.ask("costly"), "refused throttled");
  handler.costly_gate.open();
  EXPECT_EQ(client.receive(), "heard costly");
  // Another connection gets the place a moment after the answer.
  EXPECT_TRUE(becomes_true([&] { return other.ask("costly") == "heard costly"; }));
}

TEST_F(WebSocketTest, AWorkerHandsOverACostlyMessage) {
  options.costly_of_client_max = 1;
  start();
  const std::string large = "costly" + std::string(limits::quick_body_bytes_max, 'x');
  WebSocketClient client(port);
  WebSocketClient other(port);
  client.send("costly");
  ASSERT_TRUE(becomes_true([this] { return handler.costly_gate.arrived() == 1; }));
  EXPECT_EQ(other.ask(large), "refused throttled");
  EXPECT_EQ(other.ask("one"), "heard one");
  handler.costly_gate.open();
  EXPECT_EQ(client.receive(), "heard costly");
  EXPECT_TRUE(becomes_true([&] { return other.ask(large) == "heard " + large; }));
  EXPECT_EQ(other.ask("one"), "heard one");
}

TEST_F(WebSocketTest, MemoryOfAParsedLargeMessageIsCounted) {
  options.exchange_bytes_max = 10 << 20;
  start();
  WebSocketClient client(port);
  // The parsed message needs more memory than there is.
  EXPECT_EQ(client.ask("heavy" + std::string(limits::quick_body_bytes_max, 'x')),
            "refused throttled");
  EXPECT_EQ(client.ask("one"), "heard one");
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes <= 3; }));
}

TEST_F(WebSocketTest, AnUnreadAnswerCountsAndOneWithoutRoomIsRefused) {
  options.exchange_bytes_max = 100'000'000;
  start();
  WebSocketClient deaf(port);
  deaf.send("vast");
  ASSERT_TRUE(becomes_true([this] { return server->stats().exchange_bytes >= 30'000'006; }));
  WebSocketClient client(port);
  EXPECT_EQ(client.ask("vast"), "no room");
  EXPECT_EQ(client.ask("one"), "heard one");
  EXPECT_LE(server->stats().exchange_bytes, 31'000'000U);
  EXPECT_EQ(deaf.receive().size(), 30'000'006U);
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes < 100; }));
  EXPECT_EQ(client.ask("vast").size(), 30'000'006U);
  EXPECT_EQ(server->stats().streams_overrun, 0U);
}

TEST_F(WebSocketTest, ATextForManyClientsIsInMemoryOnce) {
  options.exchange_bytes_max = 80'000'000;
  start();
  std::vector<std::unique_ptr<WebSocketClient>> callers;
  std::vector<std::shared_ptr<SharedTextSender>> senders;
  for (int i = 0; i < 20; ++i) {
    callers.push_back(std::make_unique<WebSocketClient>(port));
    EXPECT_EQ(callers.back()->ask("one"), "heard one");
    senders.push_back(std::dynamic_pointer_cast<SharedTextSender>(websocket_handler.sender()));
    ASSERT_NE(senders.back(), nullptr);
  }
  const SharedText text = make_shared_text(std::string(20'000'000, 'x'));
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(senders[i]->send_event_shared(text, " to " + std::to_string(i)));
    EXPECT_LT(server->stats().exchange_bytes, 21'000'000U);
  }
  EXPECT_EQ(callers[7]->receive(), text->text() + " to 7");
  EXPECT_TRUE(senders[7]->send_event_shared(make_shared_text("a short one"), " too"));
  EXPECT_EQ(callers[7]->receive(), "a short one too");
  EXPECT_FALSE(senders[8]->send_event_shared(text, " again")) << "it has not taken the first";
  EXPECT_TRUE(becomes_true([this] { return server->stats().streams_overrun == 1; }));
  callers.clear();
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

TEST_F(WebSocketTest, AClientCanBeGivenUp) {
  start();
  WebSocketClient client(port);
  EXPECT_EQ(client.ask("one"), "heard one");
  const auto sender = std::dynamic_pointer_cast<SharedTextSender>(websocket_handler.sender());
  ASSERT_NE(sender, nullptr);
  sender->give_up();
  EXPECT_FALSE(sender->send("more"));
  EXPECT_TRUE(streams_are(0));
  EXPECT_EQ(server->stats().streams_overrun, 1U);
}

TEST_F(WebSocketTest, ALargeMessageWithoutRoomTakesNoMemory) {
  options.exchange_bytes_max = 500'000;
  start();
  WebSocketClient client(port);
  const std::string large(limits::quick_body_bytes_max + 1, 'x');
  EXPECT_EQ(client.ask(large), "refused throttled");
  EXPECT_EQ(client.ask("one"), "heard one");
}

}  // namespace
}  // namespace mayfly::net
