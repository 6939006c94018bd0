// TLS and plain HTTP on one port: correct clients, and others.
#include "net/connections/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/ssl.hpp>  // for OpenSSL, which only net/connections/tls.cc includes directly
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/http2/test_client.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Instant noon = Instant::from_seconds(1'772'186'400);

const Identity& identity() {
  static const Identity made = make_identity("mayfly.example", noon);
  return made;
}

// The parameters of a client's hello.
struct Hello {
  int version_max = 0;            // 0: the newest
  std::string protocols = {};     // for ALPN, each after its length
  std::size_t bytes_at_once = 0;  // how many bytes are sent together; 0: all
  std::string trusted = {};       // the trusted certificate; empty: any
};

// A TLS client by OpenSSL, in memory; the plain client transports the bytes.
class TlsClient : public Client {
 public:
  explicit TlsClient(std::uint16_t port, const Hello& hello = {})
      : Client(port),
        bytes_at_once_(hello.bytes_at_once),
        context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_max_proto_version(context_.get(), hello.version_max);
    if (!hello.trusted.empty()) trust(hello.trusted);
    channel_.reset(SSL_new(context_.get()));
    SSL_set_bio(channel_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    const auto* protocols = reinterpret_cast<const unsigned char*>(hello.protocols.data());
    SSL_set_alpn_protos(channel_.get(), protocols, static_cast<unsigned>(hello.protocols.size()));
    if (!hello.trusted.empty()) SSL_set1_host(channel_.get(), "localhost");
    is_secured_ = drive([this] { return SSL_connect(channel_.get()); }) > 0;
  }

  bool is_secured() const { return is_secured_; }
  std::string version() const { return SSL_get_version(channel_.get()); }
  std::string protocol() const {
    const unsigned char* chosen = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(channel_.get(), &chosen, &size);
    return {reinterpret_cast<const char*>(chosen), size};
  }

  bool send(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::string_view record = bytes.substr(0, 16'000);
      const int sent = drive([&] {
        return SSL_write(channel_.get(), record.data(), static_cast<int>(record.size()));
      });
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

 protected:
  // 0 only if the server has sent its close notification.
  ssize_t receive_some(char* into, std::size_t room) override {
    const int n = drive([&] { return SSL_read(channel_.get(), into, static_cast<int>(room)); });
    if (n > 0) return n;
    return (SSL_get_shutdown(channel_.get()) & SSL_RECEIVED_SHUTDOWN) != 0 ? 0 : -1;
  }

 private:
  template <auto free>
  struct Free {
    template <class T>
    void operator()(T* t) const {
      free(t);
    }
  };

  void trust(const std::string& certificate) {
    BIO* text = BIO_new_mem_buf(certificate.data(), static_cast<int>(certificate.size()));
    X509* read = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), read);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(context_.get()), noon.whole_seconds());
    X509_free(read);
    BIO_free(text);
  }

  // Repeats the operation as often as needed, and moves bytes from and to the socket in between.
  template <class Act>
  int drive(const Act& act) {
    for (;;) {
      const int done = act();
      const int error = SSL_get_error(channel_.get(), done);
      if (!flush() || (done <= 0 && error != SSL_ERROR_WANT_READ)) return -1;
      if (done > 0) return done;
      char bytes[16'384];
      const ssize_t n = Client::receive_some(bytes, sizeof bytes);
      if (n <= 0) return -1;
      BIO_write(SSL_get_rbio(channel_.get()), bytes, static_cast<int>(n));
    }
  }
  bool flush() {
    char* bytes = nullptr;
    BIO* out = SSL_get_wbio(channel_.get());
    const long size = BIO_get_mem_data(out, &bytes);
    std::string_view left(bytes, static_cast<std::size_t>(size));
    bool is_sent = true;
    while (!left.empty() && is_sent) {
      const std::string_view piece = bytes_at_once_ == 0 ? left : left.substr(0, bytes_at_once_);
      is_sent = send_raw(piece);
      left.remove_prefix(piece.size());
    }
    BIO_reset(out);
    return is_sent;
  }

  const std::size_t bytes_at_once_;
  std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>> context_;
  std::unique_ptr<SSL, Free<SSL_free>> channel_;
  bool is_secured_ = false;
};

class TlsTest : public ServerTest {
 protected:
  void SetUp() override {
    auto made = TlsContext::make(identity());
    ASSERT_TRUE(made) << made.error().message;
    tls = std::move(*made);
  }
  void TearDown() override { server.reset(); }

  void start_with_tls() {
    options.listeners = {{"test", "127.0.0.1", 0, &handler, tls.get()}};
    auto started = Server::start(options);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
    port = server->ports().at(0);
  }
  // The server then checks deadlines often enough for the test.
  void start_with_short_handshakes() {
    options.head_time_max = Span::millis(40);
    start_with_tls();
  }
  bool connections_are(std::uint64_t open) {
    return becomes_true([this, open] { return server->stats().connections_open == open; });
  }

  std::unique_ptr<TlsContext> tls;
};

TEST_F(TlsTest, BothProtocolsAreSpokenOnOnePort) {
  start_with_tls();
  TlsClient secured(port);
  Client plain(port);
  ASSERT_TRUE(secured.is_secured());
  EXPECT_EQ(secured.version(), "TLSv1.3");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(secured.ask(get("/scheme")), ok("https"));
    EXPECT_EQ(plain.ask(get("/scheme")), ok("http"));
  }
  EXPECT_EQ(server->stats().requests, 6U);
  EXPECT_EQ(server->stats().connections_open, 2U);
  EXPECT_EQ(server->stats().tls_handshakes, 1U);
  EXPECT_EQ(server->stats().tls_failures, 0U);
}

TEST_F(TlsTest, AClientThatTrustsTheCertificateAcceptsTheServer) {
  start_with_tls();
  EXPECT_TRUE(TlsClient(port, {.trusted = identity().certificate}).is_secured());
  EXPECT_FALSE(TlsClient(port, {.trusted = make_identity("", noon).certificate}).is_secured());
}

TEST_F(TlsTest, VersionsFrom1Point2OnAreSpoken) {
  start_with_tls();
  TlsClient older(port, {.version_max = TLS1_2_VERSION});
  EXPECT_EQ(older.ask(get("/scheme")), ok("https"));
  EXPECT_EQ(older.version(), "TLSv1.2");
  EXPECT_FALSE(TlsClient(port, {.version_max = TLS1_1_VERSION}).is_secured());
  EXPECT_TRUE(becomes_true([this] { return server->stats().tls_failures == 1; }));
}

TEST_F(TlsTest, Http2IsPreferredAndUnknownProtocolsAreRefused) {
  start_with_tls();
  TlsClient both(port, {.protocols = "\x02h2\x08http/1.1"});
  EXPECT_EQ(both.protocol(), "h2");
  EXPECT_EQ(TlsClient(port, {.protocols = "\x08http/1.1\x02h2"}).protocol(), "h2");
  TlsClient old(port, {.protocols = "\x08http/1.1"});
  EXPECT_EQ(old.protocol(), "http/1.1");
  EXPECT_EQ(old.ask(get("/scheme")), ok("https"));
  EXPECT_FALSE(TlsClient(port, {.protocols = "\x06spdy/3"}).is_secured());
  EXPECT_EQ(TlsClient(port).protocol(), "");
}

TEST_F(TlsTest, Http2IsSpokenWhereBothSidesChooseIt) {
  start_with_tls();
  Http2Client client(std::make_unique<TlsClient>(port, Hello{.protocols = "\x02h2"}));
  EXPECT_EQ(client.get("/scheme").text(), "200 https");
  const std::string body(150'000, 'b');
  EXPECT_EQ(client.read(client.ask({.method = "POST", .path = "/a", .body = body})).body,
            "POST /a " + body);
  EXPECT_EQ(client.get("/?bytes=1000000").body, std::string(1'000'000, 'x'));
}

TEST_F(TlsTest, AClientMayBeginWithHttp2OverTlsWithoutNamingIt) {
  start_with_tls();
  Http2Client client(std::make_unique<TlsClient>(port));
  EXPECT_EQ(client.get("/scheme").text(), "200 https");
}

TEST_F(TlsTest, AClientThatHasChosenHttp2AndSpeaksAnotherIsClosed) {
  start_with_tls();
  TlsClient client(port, {.protocols = "\x02h2"});
  client.send(get("/"));
  EXPECT_TRUE(client.gets_closed());
}

TEST_F(TlsTest, RequestsSentAheadAreAnsweredInTheirOrder) {
  start_with_tls();
  TlsClient client(port);
  client.send(get("/health") + post("/a", "body") + get("/slow") + get("/b"));
  EXPECT_EQ(client.read(), ok("GET /health "));
  EXPECT_EQ(client.read(), ok("POST /a body"));
  client.send(get("/c"));
  handler.gate.open();
  EXPECT_EQ(client.read(), ok("GET /slow "));
  EXPECT_EQ(client.read(), ok("GET /b "));
  EXPECT_EQ(client.read(), ok("GET /c "));
}

TEST_F(TlsTest, LargeBodiesAreSentInBothDirections) {
  start_with_tls();
  TlsClient client(port);
  std::string body(199'999, '.');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i % 26);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.ask(post("/a", body)), ok("POST /a " + body));
    EXPECT_EQ(client.ask(get("/?bytes=5000000")), ok(std::string(5'000'000, 'x')));
  }
}

TEST_F(TlsTest, AClientThatSendsByteByByteIsUnderstood) {
  start_with_tls();
  TlsClient client(port, {.bytes_at_once = 1});
  ASSERT_TRUE(client.is_secured());
  EXPECT_EQ(client.ask(post("/a", std::string(3'000, 'b'))),
            ok("POST /a " + std::string(3'000, 'b')));
}

TEST_F(TlsTest, AHandshakeThatTakesTooLongEnds) {
  start_with_short_handshakes();
  Client silent(port);
  silent.send(std::string("\x16\x03\x01", 3));
  EXPECT_TRUE(silent.is_closed());
  EXPECT_EQ(server->stats().tls_failures, 1U);
  EXPECT_TRUE(connections_are(0));
}

TEST_F(TlsTest, AClientThatDisconnectsDuringTheHandshakeLeavesNothingBehind) {
  start_with_tls();
  {
    Client leaving(port);
    leaving.send(std::string("\x16\x03\x01", 3));
    ASSERT_TRUE(connections_are(1));
  }
  EXPECT_TRUE(connections_are(0));
  EXPECT_EQ(server->stats().tls_failures, 1U);
}

TEST_F(TlsTest, GarbageBehindTheFirstByteIsNotAnsweredInHttp) {
  start_with_tls();
  for (const std::size_t size : {5U, 200U, 9'000U, 70'000U}) {
    Client client(port);
    client.send("\x16" + std::string(size, '\x7f'));
    EXPECT_THAT(client.read(), Not(HasSubstr("HTTP")));
  }
  EXPECT_TRUE(becomes_true([this] { return server->stats().tls_failures == 4; }));
  EXPECT_TRUE(connections_are(0));
  EXPECT_EQ(TlsClient(port).ask(get("/scheme")), ok("https"));
  EXPECT_EQ(Client(port).ask(get("/scheme")), ok("http"));
}

TEST_F(TlsTest, GarbageAfterTheHandshakeEndsTheConnection) {
  start_with_tls();
  TlsClient client(port);
  EXPECT_EQ(client.ask(get("/scheme")), ok("https"));
  client.send_raw(std::string(100, 'g'));
  EXPECT_THAT(client.read(), Not(HasSubstr("HTTP")));
  EXPECT_TRUE(connections_are(0));
}

TEST_F(TlsTest, APortWithoutTlsRefusesItInHttp) {
  start();
  Client client(port);
  client.send("\x16\x03\x01 hello\r\n\r\n");
  EXPECT_THAT(client.read(), StartsWith("HTTP/1.1 400 "));
  EXPECT_FALSE(TlsClient(port).is_secured());
}

TEST_F(TlsTest, ARefusalIsSentEvenIfTheBodyIsOnItsWay) {
  start_with_tls();
  const std::string body(20'000'000, 'b');
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    for (const char* framing :
         {"Content-Length: 20000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1312d00\r\n"}) {
      TlsClient client(port, {.version_max = version});
      EXPECT_TRUE(client.send("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(framing) + body));
      EXPECT_EQ(client.read(), last("413 Payload Too Large", "too_large"));
      EXPECT_TRUE(client.is_closed());
    }
  }
}

TEST_F(TlsTest, AClientThatExpectsContinueGetsIt) {
  start_with_tls();
  TlsClient client(port);
  client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(client.ask("body"), ok("POST /a body"));
}

TEST_F(TlsTest, TheTimeLimitsOfRequestsApplyToo) {
  start_with_short_handshakes();
  TlsClient client(port);
  client.send("GET / HT");
  EXPECT_THAT(client.read(), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(TlsTest, AClientThatDisconnectsBeforeItsAnswerIsDetected) {
  start_with_tls();
  {
    TlsClient client(port);
    client.send(get("/slow"));
    ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  }
  EXPECT_TRUE(connections_are(0));
  handler.gate.open();
}

TEST_F(TlsTest, AClientThatReadsNothingIsDisconnected) {
  options.send_time_max = Span::millis(40);
  start_with_tls();
  TlsClient client(port);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  client.send(get("/?bytes=100000000"));
  ASSERT_TRUE(client.has_something(20'000));
  EXPECT_TRUE(connections_are(0));
}

TEST_F(TlsTest, ASlowReaderGetsTheWholeAnswer) {
  start_with_tls();
  TlsClient client(port);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  client.send(get("/?bytes=30000000") + get("/b"));
  ASSERT_TRUE(client.has_something(20'000));
  // By now, the kernel's buffers are full.
  EXPECT_EQ(Client(port).ask(get("/a")), ok("GET /a "));
  EXPECT_EQ(client.read().size(), ok(std::string(30'000'000, 'x')).size());
  EXPECT_EQ(client.read(), ok("GET /b "));
}

TEST_F(TlsTest, AResponseIsStreamedOverTls) {
  std::shared_ptr<Stream> stream;
  Gate opened;
  handler.stream = [&](std::shared_ptr<Stream> new_stream) {
    stream = std::move(new_stream);
    opened.open();
  };
  start_with_tls();
  TlsClient client(port);
  client.send(get("/stream"));
  EXPECT_THAT(client.read_until("begin \r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
  opened.pass();
  EXPECT_TRUE(stream->send("one"));
  EXPECT_EQ(client.read_until("one\r\n"), "3\r\none\r\n");
  client.send(get("/next"));
  stream->end();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  EXPECT_EQ(client.read(), ok("GET /next "));
}

TEST_F(TlsTest, StoppingSendsAnswersInProgressAndTheCloseNotification) {
  start_with_tls();
  TlsClient idle(port);
  EXPECT_EQ(idle.ask(get("/")), ok("GET / "));
  TlsClient slow(port);
  slow.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  Client halfway(port);
  halfway.send(std::string("\x16\x03\x01", 3));
  ASSERT_TRUE(connections_are(3));
  // By now, the requests of the others have been read.
  EXPECT_EQ(Client(port).ask(get("/health")), ok("GET /health "));
  std::thread stopper([this] { server->stop(); });
  EXPECT_TRUE(idle.is_closed());
  EXPECT_TRUE(halfway.gets_closed());
  handler.gate.open();
  EXPECT_EQ(slow.read(), last("200 OK", "GET /slow "));
  EXPECT_TRUE(slow.is_closed());
  stopper.join();
  EXPECT_EQ(server->stats().connections_open, 0U);
}

TEST_F(TlsTest, AnswersWaitForTheDiskToo) {
  handler.durability = &durability;
  options.durability = &durability;
  start_with_tls();
  TlsClient client(port);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));  // with the tickets of the handshake
  client.send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_FALSE(client.has_something(0));
  durability.gate.open();
  EXPECT_EQ(client.read(), ok("GET /write "));
}

TEST_F(TlsTest, ManyOfBothKindsAreServedAtOnce) {
  options.threads = 3;
  start_with_tls();
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int c = 0; c < 24; ++c) {
    clients.emplace_back([this, c, &right] {
      const auto client =
          c % 2 == 0 ? std::make_unique<Client>(port) : std::make_unique<TlsClient>(port);
      for (int i = 0; i < 30; ++i) {
        const std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
        const bool is_slow = (c + i) % 10 == 0;
        right += client->ask(get(path + (is_slow ? "?slow" : ""))) == ok("GET " + path + " ");
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 24 * 30);
  EXPECT_EQ(server->stats().tls_handshakes, 12U);
}

TEST_F(TlsTest, AnInvalidIdentityIsRefused) {
  const auto refused = [](const Identity& identity) {
    const auto made = TlsContext::make(identity);
    return made ? "taken" : made.error().field + ": " + made.error().message;
  };
  const Identity other = make_identity("", noon);
  EXPECT_EQ(refused({other.certificate, identity().key}),
            "key: the key does not belong to the certificate");
  EXPECT_EQ(refused({"", ""}), "certificate: there is no certificate in PEM");
  EXPECT_EQ(refused(other), "taken");
}

// Repeats what it receives.
class EchoOverTls final : public Conversation {
 public:
  explicit EchoOverTls(std::shared_ptr<WebSocketSender> sender) : sender_(std::move(sender)) {}
  bool receive(std::string message) override {
    message_ = std::move(message);
    return true;
  }
  void answer(Instant) override { sender_->answer(message_); }
  void refuse(const Error&) override {}

 private:
  std::shared_ptr<WebSocketSender> sender_;
  std::string message_;
};

TEST_F(TlsTest, ConversationsAreEncryptedToo) {
  handler.conversation = [](std::shared_ptr<WebSocketSender> sender) {
    return std::make_unique<EchoOverTls>(std::move(sender));
  };
  start_with_tls();
  TlsClient client(port);
  client.send(get("/",
                  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
  EXPECT_THAT(client.read_until("\r\n\r\n"), StartsWith("HTTP/1.1 101 "));
  // Frames of a client, masked with zeros, so the payload is unchanged.
  client.send(std::string("\x81\x82\0\0\0\0hi", 8));
  EXPECT_EQ(client.read_bytes(4), "\x81\x02hi");
  const std::string large(60'000, 'x');
  client.send(std::string("\x81\xFE\xEA\x60\0\0\0\0", 8) + large);
  EXPECT_EQ(client.read_bytes(4 + large.size()), "\x81\x7E\xEA\x60" + large);
}

}  // namespace
}  // namespace mayfly::net
