#include "bench/epoll_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <unordered_map>

#include "base/check.h"

namespace mayfly::bench {
namespace {

constexpr int wait_millis = 100;

void watch(int poll, int socket) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = socket}};
  CHECK(epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) == 0);
}

const std::string& answer() {
  static const std::string text =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 300\r\n\r\n" +
      std::string(300, 'x');
  return text;
}

// Answers every complete request; whether the client is still connected.
bool answer_all(int socket, std::string& in) {
  char bytes[16'384];
  const ssize_t read = recv(socket, bytes, sizeof bytes, 0);
  if (read <= 0) return false;
  in.append(bytes, static_cast<std::size_t>(read));
  for (std::size_t end = 0; (end = in.find("\r\n\r\n")) != std::string::npos;) {
    in.erase(0, end + 4);
    if (send(socket, answer().data(), answer().size(), MSG_NOSIGNAL) <= 0) return false;
  }
  return true;
}

}  // namespace

EpollServer::EpollServer() {
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  CHECK(bind(listener_, any, size) == 0 && listen(listener_, SOMAXCONN) == 0);
  CHECK(getsockname(listener_, any, &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

EpollServer::~EpollServer() {
  is_over_ = true;
  thread_.join();
  close(listener_);
}

void EpollServer::serve() {
  const int poll = epoll_create1(0);
  watch(poll, listener_);
  std::unordered_map<int, std::string> received;
  while (!is_over_) {
    epoll_event events[256];
    const int ready = epoll_wait(poll, events, 256, wait_millis);
    for (int i = 0; i < ready; ++i) {
      const int socket = events[i].data.fd;
      if (socket == listener_) {
        const int client = accept(listener_, nullptr, nullptr);
        const int yes = 1;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        watch(poll, client);
      } else if (!answer_all(socket, received[socket])) {
        received.erase(socket);
        close(socket);
      }
    }
  }
  for (const auto& [socket, in] : received) close(socket);
  close(poll);
}

}  // namespace mayfly::bench
