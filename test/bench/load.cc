#include "bench/load.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "base/check.h"

namespace mayfly::bench {
namespace {

class Connection {
 public:
  Connection(const Load& load, int poll) : load_(load), poll_(poll) { open(); }
  void send(const std::string& request) {
    sent_at = monotonic_now();
    if (!wire_) open();
    wire_->send(request);
  }
  // The status of the answer; 0: it is not complete yet.
  int take_status() {
    wire_->receive();
    const int status = load_.speech.take_status(wire_->in);
    if (status != 0 && load_.reconnects) wire_.reset();
    return status;
  }

  Instant sent_at;

 private:
  void open() {
    wire_.emplace(load_.port);
    load_.speech.begin(*wire_);
    epoll_event event{.events = EPOLLIN, .data = {.ptr = this}};
    epoll_ctl(poll_, EPOLL_CTL_ADD, wire_->socket(), &event);
  }

  const Load& load_;
  const int poll_;
  std::optional<Wire> wire_;
};

}  // namespace

const Speech over_http{.begin = [](Wire&) {},
                       .take_status = [](std::string& in) { return take_answer(in).status; }};

double quantile(std::vector<std::int64_t>& all, double q) {
  if (all.empty()) return 0;
  const auto place = all.begin() + static_cast<std::ptrdiff_t>(q * double(all.size() - 1));
  std::nth_element(all.begin(), place, all.end());
  return static_cast<double>(*place);
}

LoadResult run(const Load& load) {
  const int poll = epoll_create1(0);
  std::deque<Connection> connections;
  for (int i = 0; i < load.connections; ++i) connections.emplace_back(load, poll);
  LoadResult result;
  std::vector<std::int64_t> latencies;
  const Instant began = monotonic_now();
  const Instant end = began + load.span;
  for (Connection& connection : connections) connection.send(load.next_request());
  std::size_t under_way = connections.size();
  Instant now = began;
  while (under_way > 0) {
    epoll_event events[256];
    const int ready = epoll_wait(poll, events, 256, 10'000);
    CHECK(ready > 0);
    for (int i = 0; i < ready; ++i) {
      Connection& connection = *static_cast<Connection*>(events[i].data.ptr);
      const int status = connection.take_status();
      if (status == 0) continue;
      now = monotonic_now();
      latencies.push_back((now - connection.sent_at).micros);
      ++result.requests;
      if (status != load.expected_status) ++result.unexpected;
      if (now < end) {
        connection.send(load.next_request());
      } else {
        --under_way;
      }
    }
  }
  ::close(poll);
  result.requests_per_second = double(result.requests) * 1e6 / double((now - began).micros);
  result.p50_micros = quantile(latencies, 0.5);
  result.p99_micros = quantile(latencies, 0.99);
  return result;
}

}  // namespace mayfly::bench
