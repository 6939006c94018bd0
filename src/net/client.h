// A small HTTP/1.1 client for the command line: one call, one answer, no TLS.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

struct Call {
  std::string method = "GET";
  std::string url;  // http://host:port/path
  std::vector<Pair> headers = {};
  std::string body = {};
  Span time_max = Span::seconds(30);
  std::size_t answer_bytes_max = 8 << 20;  // of the answer's body
};

// Blocks. Fails with invalid for a URL that is none, timed_out, and internal where nobody answers
// or the answer is too long.
// An answer of any status is not an error.
Result<Response> fetch(const Call& call);

}  // namespace mayfly::net
