#include "bench/listeners.h"

#include <poll.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/check.h"

namespace mayfly::bench {

void allow_many_files() {
  constexpr rlim_t wanted = 16'384;
  constexpr rlim_t least = 4'000;
  rlimit limit{};
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, wanted);
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= least);
}

void Listeners::add(std::unique_ptr<Wire> wire) {
  wire->in.clear();
  wires_.push_back(std::move(wire));
}

void Listeners::await(int events, const std::function<void()>& on_done) {
  std::vector<pollfd> waiting;
  std::vector<int> missing(wires_.size(), events);
  for (const auto& wire : wires_) waiting.push_back({wire->socket(), POLLIN, 0});
  for (std::size_t left = wires_.size(); left > 0;) {
    CHECK(::poll(waiting.data(), waiting.size(), 10'000) > 0);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      missing[i] -= take(*wires_[i]);
      if (missing[i] > 0) continue;
      CHECK(missing[i] == 0);
      on_done();
      waiting[i].fd = -1;  // is skipped by poll()
      waiting[i].revents = 0;
      --left;
    }
  }
}

// How many events were received; the received part of the next one is kept.
int Listeners::take(Wire& wire) {
  wire.receive();
  int events = 0;
  std::size_t behind = 0;
  for (std::size_t at = 0; (at = wire.in.find(mark_, at)) != std::string::npos; ++events) {
    behind = at += mark_.size();
  }
  // An incomplete mark is found once the rest has arrived.
  wire.in.erase(0, std::max(behind, wire.in.size() - std::min(wire.in.size(), mark_.size() - 1)));
  return events;
}

}  // namespace mayfly::bench
