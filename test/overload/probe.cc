#include "overload/probe.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/clock.h"
#include "bench/load.h"
#include "overload/clients.h"

namespace mayfly::overload {
namespace {

// Whether the answer is 200, on a connection of its own, as a balancer asks.
bool is_healthy(std::uint16_t port) {
  const int socket = connect_to(port);
  if (socket < 0) return false;
  const timeval patience{5, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::string request = bench::http_request("GET", "/health");
  char answer[4096];
  const bool is_sent = ::send(socket, request.data(), request.size(), MSG_NOSIGNAL) > 0;
  const ssize_t n = is_sent ? ::recv(socket, answer, sizeof answer, 0) : 0;
  ::close(socket);
  return n > 12 && std::string_view(answer, 12) == "HTTP/1.1 200";
}

}  // namespace

Probe::Probe(const bench::ServerProcess& server)
    : background_(std::make_unique<Background>(
          [this, &server](const std::atomic<bool>& is_over) { look(server, is_over); })) {}

void Probe::look(const bench::ServerProcess& server, const std::atomic<bool>& is_over) {
  while (!is_over) {
    const Instant began = monotonic_now();
    if (is_healthy(server.port())) {
      millis_.push_back(double((monotonic_now() - began).micros) / 1e3);
    } else {
      ++seen_.failures;
    }
    seen_.resident_max_mib = std::max(seen_.resident_max_mib, server.resident_mib());
    ::poll(nullptr, 0, 20);
  }
}

Probe::Seen Probe::seen() {
  background_.reset();
  std::sort(millis_.begin(), millis_.end());
  seen_.answers = millis_.size();
  if (millis_.empty()) return seen_;
  seen_.health_p99_millis = millis_[static_cast<std::size_t>(0.99 * double(millis_.size() - 1))];
  seen_.health_max_millis = millis_.back();
  return seen_;
}

}  // namespace mayfly::overload
