#include "overload/attackers.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "base/clock.h"
#include "overload/clients.h"

namespace mayfly::overload {
namespace {

// Waits this long, by poll() without descriptors.
void pause_millis(int millis) {
  ::poll(nullptr, 0, millis);
}

bool is_closed(int socket) {
  char byte = 0;
  const ssize_t n = ::recv(socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
  return n == 0 || (n < 0 && errno != EAGAIN);
}

// Sends `first` on every new connection, and `more` on the others, about once a second.
void keep_up(std::uint16_t port, int connections, const std::string& first, const std::string& more,
             const std::atomic<bool>& is_over) {
  std::vector<int> sockets(static_cast<std::size_t>(connections), -1);
  while (!is_over) {
    for (std::size_t i = 0; i < sockets.size() && !is_over; ++i) {
      int& socket = sockets[i];
      if (i % 200 == 199) pause_millis(1);  // not all at once
      const bool is_new = socket < 0;
      if (is_new) socket = connect_to(port);
      if (socket < 0) continue;
      const std::string& text = is_new ? first : more;
      const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if ((sent >= 0 || errno == EAGAIN) && !(is_new ? false : more.empty() && is_closed(socket))) {
        continue;
      }
      ::close(socket);
      socket = -1;
    }
    for (int i = 0; i < 10 && !is_over; ++i) pause_millis(100);
  }
  for (const int socket : sockets) {
    if (socket >= 0) ::close(socket);
  }
}

}  // namespace

void drip_heads(std::uint16_t port, int connections, const std::atomic<bool>& is_over) {
  keep_up(port, connections, "GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: ", "x", is_over);
}

void read_nothing(std::uint16_t port, int connections, const std::string& request,
                  const std::atomic<bool>& is_over) {
  keep_up(port, connections, request, "", is_over);
}

std::uint64_t send_body_without_end(std::uint16_t port, std::uint64_t bytes_max) {
  const int socket = connect_to(port);
  if (socket < 0) return 0;
  const std::string head =
      "POST /v1/databases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  const std::string chunk = "10000\r\n" + std::string(65'536, ' ') + "\r\n";
  std::uint64_t sent = 0;
  bool is_open = ::send(socket, head.data(), head.size(), MSG_NOSIGNAL) > 0;
  while (is_open && sent < bytes_max) {
    const ssize_t n = ::send(socket, chunk.data(), chunk.size(), MSG_NOSIGNAL);
    is_open = n == static_cast<ssize_t>(chunk.size());
    if (n > 0) sent += static_cast<std::uint64_t>(n);
  }
  ::close(socket);
  return sent;
}

namespace {

// Reads until the received text has `mark`; false if it does not arrive.
bool reads_until(int socket, std::string& read, const std::string& mark) {
  char bytes[4096];
  while (read.find(mark) == std::string::npos) {
    pollfd one{socket, POLLIN, 0};
    if (::poll(&one, 1, 20'000) != 1) return false;
    const ssize_t n = ::recv(socket, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    read.append(bytes, static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Followed follow_feed(std::uint16_t port, int connections, const std::string& target,
                     const std::function<void()>& write,
                     const std::function<double()>& resident_mib) {
  const std::string request =
      "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
  std::vector<int> sockets;
  bool is_well = true;
  for (int i = 0; i < connections && is_well; ++i) {
    sockets.push_back(connect_to(port));
    std::string read;
    is_well = ::send(sockets.back(), request.data(), request.size(), MSG_NOSIGNAL) > 0 &&
              reads_until(sockets.back(), read, "\n\n\r\n");
  }
  Followed followed{.resident_mib = resident_mib()};
  const Instant began = monotonic_now();
  if (is_well) write();
  for (const int socket : sockets) {
    std::string read;
    is_well = is_well && reads_until(socket, read, "\n\n\r\n");
    ::close(socket);
  }
  if (is_well) followed.event_millis = double((monotonic_now() - began).micros) / 1e3;
  return followed;
}

}  // namespace mayfly::overload
