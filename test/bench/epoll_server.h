// The least that an HTTP server can be, to measure the cost of the kernel's network: one thread on
// epoll, which looks for the end of a request's head and sends a fixed answer of 300 bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace mayfly::bench {

class EpollServer {
 public:
  // Stops the program if it cannot listen.
  EpollServer();
  ~EpollServer();
  EpollServer(const EpollServer&) = delete;
  EpollServer& operator=(const EpollServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void serve();

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace mayfly::bench
