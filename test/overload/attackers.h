// Hostile or abusive clients: each runs on a thread of its own until it is destroyed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace mayfly::overload {

// Runs `act` again and again until it is destroyed. `act` checks the flag if it takes long.
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

// Keeps this many connections open, each of which slowly sends the bytes of a head.
void drip_heads(std::uint16_t port, int connections, const std::atomic<bool>& is_over);
// The same with connections that request much and read nothing.
void read_nothing(std::uint16_t port, int connections, const std::string& request,
                  const std::atomic<bool>& is_over);
// Sends a chunked body until the server refuses it, or up to this many bytes; gives how many were
// sent.
std::uint64_t send_body_without_end(std::uint16_t port, std::uint64_t bytes_max);

// Follows a feed with this many connections; gives how long an event of `write` takes to reach all
// of them, in milliseconds, or -1 if it does not.
struct Followed {
  double event_millis = -1;
  double resident_mib = 0;  // of the server, while all follow
};
Followed follow_feed(std::uint16_t port, int connections, const std::string& target,
                     const std::function<void()>& write,
                     const std::function<double()>& resident_mib);

}  // namespace mayfly::overload
