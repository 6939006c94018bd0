#include "bench/load.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/check.h"

namespace mayfly::bench {
namespace {

struct Connection {
  int socket = -1;
  std::string in;
  Instant sent_at;
};

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

void send_all(Connection& connection, const std::string& request) {
  connection.sent_at = monotonic_now();
  std::size_t sent = 0;
  while (sent < request.size()) {
    const ssize_t n =
        ::send(connection.socket, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    CHECK(n > 0);
    sent += static_cast<std::size_t>(n);
  }
}

// The status of a whole answer at the front of `in`, which is taken away; 0 where it is not whole
// yet.
int take_answer(std::string& in) {
  const std::size_t head_end = in.find("\r\n\r\n");
  if (head_end == std::string::npos) return 0;
  std::string head = in.substr(0, head_end + 2);
  std::transform(head.begin(), head.end(), head.begin(), ::tolower);
  std::size_t length = 0;
  if (const auto at = head.find("\r\ncontent-length:"); at != std::string::npos) {
    const char* digits = head.c_str() + at + 17;
    while (*digits == ' ') ++digits;
    std::from_chars(digits, head.c_str() + head.size(), length);
  }
  const std::size_t whole = head_end + 4 + length;
  if (in.size() < whole) return 0;
  int status = 0;
  std::from_chars(head.data() + 9, head.data() + 12, status);
  in.erase(0, whole);
  return status;
}

void receive(Connection& connection) {
  char buffer[16 << 10];
  const ssize_t n = ::recv(connection.socket, buffer, sizeof buffer, 0);
  CHECK(n > 0);
  connection.in.append(buffer, static_cast<std::size_t>(n));
}

double quantile(std::vector<std::int64_t>& sorted, double q) {
  if (sorted.empty()) return 0;
  return static_cast<double>(sorted[static_cast<std::size_t>(q * double(sorted.size() - 1))]);
}

}  // namespace

LoadResult run(const Load& load) {
  const int poll = epoll_create1(0);
  std::vector<Connection> connections(static_cast<std::size_t>(load.connections));
  for (std::size_t i = 0; i < connections.size(); ++i) {
    connections[i].socket = connect_to(load.port);
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    epoll_ctl(poll, EPOLL_CTL_ADD, connections[i].socket, &event);
  }
  LoadResult result;
  std::vector<std::int64_t> latencies;
  const Instant began = monotonic_now();
  const Instant end = began + load.span;
  for (Connection& connection : connections) send_all(connection, load.next_request());
  std::size_t under_way = connections.size();
  Instant now = began;
  while (under_way > 0) {
    epoll_event events[256];
    const int ready = epoll_wait(poll, events, 256, 10'000);
    CHECK(ready > 0);
    for (int i = 0; i < ready; ++i) {
      Connection& connection = connections[events[i].data.u64];
      receive(connection);
      const int status = take_answer(connection.in);
      if (status == 0) continue;
      now = monotonic_now();
      latencies.push_back((now - connection.sent_at).micros);
      ++result.requests;
      if (status != load.expected_status) ++result.unexpected;
      if (now < end) {
        send_all(connection, load.next_request());
      } else {
        --under_way;
      }
    }
  }
  for (const Connection& connection : connections) ::close(connection.socket);
  ::close(poll);
  std::sort(latencies.begin(), latencies.end());
  result.requests_per_second = double(result.requests) * 1e6 / double((now - began).micros);
  result.p50_micros = quantile(latencies, 0.5);
  result.p99_micros = quantile(latencies, 0.99);
  return result;
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

}  // namespace mayfly::bench
