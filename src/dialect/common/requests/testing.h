// For tests: creates a request as a connection would have read it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "net/message.h"
#include "net/router.h"

namespace mayfly::testing {

// `target` may have a query string, percent-encoded as on the wire.
inline net::Request read_request(std::string method, const std::string& target,
                                 std::vector<net::Pair> headers = {}, std::string body = {}) {
  net::Request request{.method = std::move(method), .target = target};
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) {
    auto parameters = net::decode_form(target.substr(mark + 1));
    EXPECT_TRUE(parameters) << target;
    if (parameters) request.parameters = *std::move(parameters);
  }
  request.headers = std::move(headers);
  request.body = std::move(body);
  return request;
}

}  // namespace mayfly::testing
