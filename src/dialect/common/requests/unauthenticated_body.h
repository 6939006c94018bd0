// Which bodies are read before their client is authenticated.
#pragma once

#include "dialect/common/limits.h"
#include "net/requests/announced_bytes.h"

namespace mayfly {

// Whether the body is announced, and short. For any other body refuse_head() first checks whether
// the client may send it.
inline bool has_short_body(const net::Request& request) {
  const auto bytes = net::content_length_of(request);
  return bytes && *bytes <= limits::body_unauthenticated_bytes_max;
}

}  // namespace mayfly
