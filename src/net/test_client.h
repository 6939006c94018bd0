// For the server's tests: a client of plain sockets, and a handler that behaves as the path says.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/threads/no_wait.h"
#include "base/threads/run_permit.h"
#include "net/handler.h"
#include "net/requests/limits.h"
#include "net/server.h"
#include "net/test_disk.h"

namespace mayfly::net {

// Never sleeps: reads block until data arrives, and fail after a time that is reached only if there
// is a defect.
class Client {
 public:
  // `from`: the client's address, on this machine.
  explicit Client(std::uint16_t port, const char* from = "127.0.0.1")
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval timeout{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    const int yes = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, from, &address.sin_addr);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  virtual ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_open() const { return is_open_; }
  // False once the server has closed.
  virtual bool send(std::string_view bytes) { return send_raw(bytes); }
  // Writes the bytes to the socket unchanged.
  bool send_raw(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  // Reads one response: its head, and as much body as the head says. If the server closes or
  // nothing arrives, returns what has arrived.
  std::string read(bool has_body = true) {
    std::size_t end = std::string::npos;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive()) return std::exchange(buffer_, {});
    }
    const std::size_t at = buffer_.find("Content-Length: ");
    const bool has_length = has_body && at < end;
    const std::size_t length =
        has_length ? std::strtoull(buffer_.c_str() + at + 16, nullptr, 10) : 0;
    while (buffer_.size() < end + 4 + length && receive()) {
    }
    std::string response = buffer_.substr(0, end + 4 + length);
    buffer_.erase(0, response.size());
    // Removes headers that every answer has and that differ between answers.
    date = cut_header(response, "\r\nDate: ");
    id = cut_header(response, "\r\nX-Request-Id: ");
    return response;
  }
  // A header of the last response that was read.
  std::string date;
  std::string id;
  std::string ask(std::string_view request, bool has_body = true) {
    send(request);
    return read(has_body);
  }
  // Reads exactly so many bytes; fewer if the server closes or nothing arrives.
  std::string read_bytes(std::size_t bytes) {
    while (buffer_.size() < bytes && receive()) {
    }
    std::string read = buffer_.substr(0, bytes);
    buffer_.erase(0, read.size());
    return read;
  }
  // Reads everything up to the end of `end_text`.
  std::string read_until(std::string_view end_text) {
    std::size_t at = std::string::npos;
    std::size_t looked = 0;
    while ((at = buffer_.find(end_text, looked)) == std::string::npos) {
      looked = buffer_.size() - std::min(buffer_.size(), end_text.size());
      if (!receive()) return std::exchange(buffer_, {});
    }
    return read_bytes(at + end_text.size());
  }
  // Returns unread bytes, or otherwise the next ones; empty if none arrive.
  std::string read_some() {
    if (buffer_.empty()) receive();
    return std::exchange(buffer_, {});
  }
  // Whether the server has closed cleanly, without unread bytes.
  bool is_closed() { return buffer_.empty() && !receive() && is_ended_; }
  // Whether the server has closed, with or without unread bytes.
  bool gets_closed() {
    while (receive()) {
    }
    return is_ended_;
  }
  bool has_something(int millis) {
    pollfd one{socket_, POLLIN, 0};
    return !buffer_.empty() || poll(&one, 1, millis) == 1;
  }

 protected:
  // The result of recv().
  virtual ssize_t receive_some(char* into, std::size_t room) {
    return recv(socket_, into, room, 0);
  }

 private:
  static std::string cut_header(std::string& response, std::string_view begin) {
    const std::size_t at = response.find(begin);
    if (at == std::string::npos) return {};
    const std::size_t end = response.find("\r\n", at + 2);
    const std::string value = response.substr(at + begin.size(), end - at - begin.size());
    response.erase(at, end - at);
    return value;
  }
  bool receive() {
    char bytes[65536];
    const ssize_t n = receive_some(bytes, sizeof bytes);
    is_ended_ = n == 0;
    if (n > 0) buffer_.append(bytes, static_cast<std::size_t>(n));
    return n > 0;
  }

  int socket_;
  bool is_open_ = false;
  bool is_ended_ = false;
  std::string buffer_;
};

// A handler whose accepted requests forward each call to it, with the request.
class SimpleHandler : public Handler {
 public:
  virtual Response answer(const Request& request) = 0;
  virtual Pace pace(const Request&) const { return Pace::quick; }
  virtual std::optional<Response> refuse_head(const Request&) { return std::nullopt; }
  virtual void describe(AcceptedRequest&) const {}  // sets what the head determines
  virtual void enter() {}
  virtual void leave() {}

  AcceptedRequest& begin(const Request& request, AcceptedStorage& storage) final {
    AcceptedRequest& accepted = storage.emplace<One>(request, *this);
    describe(accepted);
    return accepted;
  }

 private:
  class One final : public AcceptedRequest {
   public:
    One(const Request& request, SimpleHandler& handler)
        : AcceptedRequest(request), handler_(handler) {}
    ~One() override { leave(); }
    std::optional<Response> refuse_head() override { return handler_.refuse_head(request); }
    void enter() override {
      handler_.enter();
      has_entered_ = true;
    }
    void leave() override {
      if (std::exchange(has_entered_, false)) handler_.leave();
    }
    Pace pace() const override { return handler_.pace(request); }
    Response answer() override { return handler_.answer(request); }
    Response refuse(const Error& error) const override { return handler_.refuse(error); }

   private:
    SimpleHandler& handler_;
    bool has_entered_ = false;
  };
};

class FakeHandler final : public SimpleHandler {
 public:
  Response answer(const Request& request) override {
    answer_by = request.answer_by;
    answered_on = std::this_thread::get_id();
    if (conversation && is_websocket_handshake(request)) return {.conversation = conversation};
    if (request.path == "/busy" && NoWait::refuses()) return {.status = 500};
    if (request.path == "/throw") throw std::bad_alloc();
    if (request.path == "/slow" || request.path == "/stuck") gate.pass();
    if (request.path == "/costly") costly_gate.pass();
    if (request.path == "/long_costly" && current_run_permit()->renew()) gate.pass();
    if (request.path == "/write") durability->write();
    if (request.path == "/endless") work_until_cancelled();
    Response response{.content_type = "text/plain", .headers = own_headers};
    if (request.path == "/close") response.close = true;
    if (request.path == "/none") response.status = 204;
    if (request.path == "/scheme") {
      response.body = request.is_secure ? "https" : "http";
      return response;
    }
    if (request.path == "/evil") {
      response.headers = {
          {"X-Evil", "a\r\nX-Made-Up: b"}, {"bad name", "c"}, {"Content-Length", "9"}};
    }
    if (request.path == "/stream") {
      response.body = "begin ";
      response.stream = stream;
      return response;
    }
    const std::string* bytes = request.parameter("bytes");
    response.body = bytes != nullptr ? std::string(std::stoul(*bytes), 'x')
                                     : request.method + " " + request.path + " " + request.body;
    return response;
  }
  bool is_open() const override {
    ++times_open_checked;
    return is_open_now;
  }
  std::optional<Response> refuse_head(const Request& request) override {
    ++heads;
    if (!request.path.starts_with("/closed")) return std::nullopt;
    return Response{.status = 403, .content_type = "text/plain", .body = "closed " + request.path};
  }
  Pace pace(const Request& request) const override {
    if (request.path == "/costly" || request.path == "/long_costly") return Pace::costly;
    const bool is_slow = request.path == "/slow" || request.path == "/endless" ||
                         request.parameter("slow") != nullptr;
    return is_slow ? Pace::worker : Pace::quick;
  }
  void describe(AcceptedRequest& accepted) const override {
    ++times_begun;
    const std::string& path = accepted.request.path;
    accepted.is_urgent = path == "/health";
    accepted.is_page = path == "/page";
    accepted.body_type = path == "/json" ? "application/json" : "";
    if (path == "/bounded") accepted.body_bytes_max = 3;
  }
  Result<void> may_answer() const override {
    if (is_late) return fail(Code::timed_out, "late");
    return {};
  }
  void enter() override { ++under_way; }
  void leave() override { --under_way; }
  Response refuse(const Error& error) const override {
    return {.status = error.code == Code::throttled  ? 429
                      : error.code == Code::internal ? 500
                                                     : 499,
            .content_type = "text/plain",
            .body = std::string(name_of(error.code))};
  }
  std::size_t body_bytes_max() const override { return 200'000; }

  Gate gate;
  Gate costly_gate;
  std::vector<Pair> own_headers;  // of its answers
  std::atomic<int> heads = 0;     // for which refuse_head() was called
  mutable std::atomic<int> times_begun = 0;
  std::atomic<bool> is_late = false;  // if set, it answers urgent requests only
  std::atomic<std::thread::id> answered_on;
  std::atomic<bool> is_open_now = false;
  mutable std::atomic<int> times_open_checked = 0;
  std::atomic<int> under_way = 0;  // accepted, and neither answered nor abandoned
  FakeDurability* durability = nullptr;
  std::atomic<Instant> answer_by = Instant{};  // of the last request
  std::atomic<int> endless_begun = 0;
  std::atomic<int> endless_ended = 0;
  StreamCallback stream;             // for the response to /stream
  ConversationFactory conversation;  // for WebSocket handshakes

 private:
  void work_until_cancelled() {
    ++endless_begun;
    while (current_run_permit()->renew()) std::this_thread::yield();
    ++endless_ended;
  }
};

inline std::string get(const std::string& target, const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
}

inline std::string post(const std::string& target, const std::string& body) {
  return "POST " + target +
         " HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

inline std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// A response that ends the connection, in the handler's words.
inline std::string last(const std::string& status, const std::string& body) {
  return "HTTP/1.1 " + status +
         "\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

class ServerTest : public ::testing::Test {
 protected:
  void start(ListenerOptions listener = {}) {
    listener.name = "test";
    listener.host = "127.0.0.1";
    listener.handler = &handler;
    options.listeners = {listener};
    auto started = Server::start(options);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
    port = server->ports().at(0);
  }
  std::unique_ptr<Client> connect() { return std::make_unique<Client>(port); }

  FakeDurability durability;
  FakeHandler handler;
  // A request that waits at a gate does not count as long.
  ServerOptions options{.threads = 1, .short_work_max = Span::seconds(3'600)};
  std::uint16_t port = 0;
  std::unique_ptr<Server> server;
};

}  // namespace mayfly::net
