#include "overload/probe.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/clock.h"
#include "bench/load.h"
#include "overload/clients.h"

namespace mayfly::overload {
namespace {

constexpr int health_every = 4;  // every so many rounds of probing
constexpr int millis_between_looks = 5;

// On a connection of its own, as from a load balancer.
bool is_healthy(std::uint16_t port) {
  const int socket = connect_to(port);
  if (socket < 0) return false;
  const int status = ask(socket, bench::http_request("GET", "/health"));
  ::close(socket);
  return status == 200;
}

double quantile(std::vector<double>& samples, double q) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<std::size_t>(q * double(samples.size() - 1))];
}

}  // namespace

Probe::Probe(const bench::ServerProcess& server, std::function<std::string()> request)
    : request_(std::move(request)),
      background_(std::make_unique<Background>(
          [this, &server](const std::atomic<bool>& is_over) { look(server, is_over); })) {}

void Probe::look(const bench::ServerProcess& server, const std::atomic<bool>& is_over) {
  for (int i = 0; !is_over; ++i) {
    if (request_) ask_beside(server.port());
    if (i % health_every == 0) {
      const Instant began = monotonic_now();
      if (is_healthy(server.port())) {
        millis_.push_back(double((monotonic_now() - began).micros) / 1e3);
      } else {
        ++seen_.failures;
      }
      seen_.resident_max_mib = std::max(seen_.resident_max_mib, server.resident_mib());
    }
    ::poll(nullptr, 0, millis_between_looks);
  }
  if (beside_ >= 0) ::close(beside_);
}

void Probe::ask_beside(std::uint16_t port) {
  if (beside_ < 0) beside_ = connect_to(port);
  if (beside_ < 0) return;
  const Instant began = monotonic_now();
  const int status = ask(beside_, request_());
  if (status >= 200 && status < 300) {
    beside_millis_.push_back(double((monotonic_now() - began).micros) / 1e3);
  } else if (status == 0) {
    ::close(beside_);
    beside_ = -1;
  }
}

Probe::Seen Probe::seen() {
  background_.reset();
  seen_.answers = millis_.size();
  seen_.health_p99_millis = quantile(millis_, 0.99);
  seen_.health_max_millis = quantile(millis_, 1);
  seen_.beside_p99_millis = quantile(beside_millis_, 0.99);
  return seen_;
}

}  // namespace mayfly::overload
