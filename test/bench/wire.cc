#include "bench/wire.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace mayfly::bench {

Wire::Wire(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  const int yes = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Wire::~Wire() {
  ::close(socket_);
}

void Wire::send(const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t n = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    CHECK(n > 0);
    sent += static_cast<std::size_t>(n);
  }
}

void Wire::receive() {
  char buffer[64 << 10];
  const ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
  CHECK(n > 0);
  in.append(buffer, static_cast<std::size_t>(n));
}

HttpAnswer take_answer(std::string& in) {
  const std::size_t head_end = in.find("\r\n\r\n");
  if (head_end == std::string::npos) return {};
  std::string head = in.substr(0, head_end + 2);
  std::transform(head.begin(), head.end(), head.begin(), ::tolower);
  std::size_t length = 0;
  if (const auto at = head.find("\r\ncontent-length:"); at != std::string::npos) {
    const char* digits = head.c_str() + at + 17;
    while (*digits == ' ') ++digits;
    std::from_chars(digits, head.c_str() + head.size(), length);
  }
  const std::size_t whole = head_end + 4 + length;
  if (in.size() < whole) return {};
  HttpAnswer answer{.body = in.substr(head_end + 4, length)};
  std::from_chars(head.data() + 9, head.data() + 12, answer.status);
  in.erase(0, whole);
  return answer;
}

HttpAnswer call(Wire& wire, const std::string& request) {
  wire.send(request);
  for (;;) {
    wire.receive();
    if (HttpAnswer answer = take_answer(wire.in); answer.status != 0) return answer;
  }
}

std::string http_request(const std::string& method, const std::string& target,
                         const std::string& body) {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n";
  if (!body.empty()) {
    text +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return text + "\r\n" + body;
}

void rest(std::int64_t micros) {
  if (micros <= 0) return;
  const timespec span{micros / 1'000'000, micros % 1'000'000 * 1'000};
  ::ppoll(nullptr, 0, &span, nullptr);
}

}  // namespace mayfly::bench
