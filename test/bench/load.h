// A load generator: one thread, many connections, each with one request in flight. Each connection
// sends at least one request, also if the span is zero.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/wire.h"

namespace mayfly::bench {

// The format of requests and answers on a connection.
struct Speech {
  void (*begin)(Wire& wire);  // before the first request
  // Takes a complete answer from the front of `in` and returns its status; 0: there is none yet.
  int (*take_status)(std::string& in);
};
extern const Speech over_http;

struct Load {
  std::uint16_t port = 0;
  int connections = 1;
  Span span = Span::seconds(2);
  std::function<std::string()> next_request;  // whole, with its head
  int expected_status = 200;
  bool reconnects = false;  // connects again for each request, because the server closes after
                            // each answer
  Speech speech = over_http;
};

struct LoadResult {
  double requests_per_second = 0;
  double p50_micros = 0;
  double p99_micros = 0;
  std::uint64_t requests = 0;
  std::uint64_t unexpected = 0;  // answers of another status
};

// Stops the program if the server cannot be reached.
LoadResult run(const Load& load);

// The quantile `q` of the values. Changes their order.
double quantile(std::vector<std::int64_t>& all, double q);

}  // namespace mayfly::bench
