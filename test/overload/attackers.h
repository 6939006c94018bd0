// Hostile or abusive clients, and a thread for one of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace mayfly::overload {

// Calls `act` once, on a thread of its own. The destructor sets the flag and waits until `act`
// returns, so `act` must check the flag.
class Background {
 public:
  explicit Background(std::function<void(const std::atomic<bool>& is_over)> act)
      : thread_([this, act = std::move(act)] { act(is_over_); }) {}
  ~Background() {
    is_over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

// Keeps this many connections open until the flag is set. Each sends the head of a request, about a
// byte a second.
void drip_heads(std::uint16_t port, int connections, const std::atomic<bool>& is_over);
// The same with connections that request much and read nothing.
void read_nothing(std::uint16_t port, int connections, const std::string& request,
                  const std::atomic<bool>& is_over);
// Sends a chunked body until the server ends the connection, or up to this many bytes. Returns how
// many were sent.
std::uint64_t send_body_without_end(std::uint16_t port, std::uint64_t bytes_max);

struct Followed {
  double event_millis = -1;  // from `write` until all have its event; -1: not all have received it
  double resident_mib = 0;   // of the server, while all follow
};
// Follows a feed with this many connections, and calls `write`, which must cause one event.
Followed follow_feed(std::uint16_t port, int connections, const std::string& target,
                     const std::function<void()>& write,
                     const std::function<double()>& resident_mib);

}  // namespace mayfly::overload
