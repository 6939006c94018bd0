// A load generator over HTTP/2 without TLS: one thread, one connection, many streams, each with one
// request in flight.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/load.h"

namespace mayfly::bench {

struct Http2Request {
  std::string method;
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers = {};  // names in lower case
  std::string body = {};
};

struct Http2Load {
  std::uint16_t port = 0;
  int streams = 1;
  Span span = Span::seconds(2);
  std::function<Http2Request()> next_request;
  int expected_status = 200;
};

// Stops the program if the server cannot be reached or does not speak HTTP/2.
LoadResult run(const Http2Load& load);

// One request on a connection of its own; gives the body. Stops the program at another status.
std::string call_http2(std::uint16_t port, const Http2Request& request, int expected_status = 200);

}  // namespace mayfly::bench
