// A small HTTP/1.1 client for the command line: one call, one answer.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

// Whose certificates are believed over https.
struct Trust {
  std::string ca_file = {};  // in PEM, beside those of the system; empty: only those
  bool checks = true;        // false: any certificate of anybody
  friend bool operator==(const Trust&, const Trust&) = default;
};

struct Call {
  std::string method = "GET";
  std::string url;  // http://host:port/path, or https://
  std::vector<Pair> headers = {};
  std::string body = {};
  Span time_max = Span::seconds(30);
  std::size_t answer_bytes_max = 8 << 20;  // of the answer's body
  Trust trust = {};                        // of fetch(); call_out() believes the system's only
};

// Blocks. Fails with invalid for a URL that is none, a host that there is not (both name the field
// url), https to a port that does not speak TLS, or a file of certificates that cannot be read,
// forbidden where the server's certificate is not believed, timed_out, and internal where nobody
// answers or the answer is too long.
// An answer of any status is not an error.
Result<Response> fetch(const Call& call);

}  // namespace mayfly::net
