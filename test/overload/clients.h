// Well-behaved clients, many on one thread: each has one request in flight, waits as long as
// Retry-After says when it is refused, and connects again if it was disconnected.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"

namespace mayfly::overload {

struct Clients {
  std::uint16_t port = 0;
  int connections = 1;
  Span span;
  std::function<std::string()> next_request;  // whole, with its head
  bool heed_retry_after = true;  // false: refused clients send the next request immediately
};

struct Outcome {
  double accepted_per_second = 0;
  double p50_millis = 0;  // of accepted requests, as are:
  double p99_millis = 0;
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;            // 429 or 503
  std::uint64_t refused_unclearly = 0;  // of them: without Retry-After
  std::uint64_t wrong = 0;              // any other status
  std::uint64_t disconnected = 0;       // without an answer
};

Outcome run(const Clients& clients);

// A connection to the server; -1 if connecting fails.
int connect_to(std::uint16_t port);

// Sends a request and waits for its complete answer; gives the status, 0 if there is no answer.
int ask(int socket, const std::string& request);

}  // namespace mayfly::overload
