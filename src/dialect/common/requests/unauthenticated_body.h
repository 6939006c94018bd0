// Which bodies are read before it is known who sends them.
#pragma once

#include "dialect/common/limits.h"
#include "net/requests/announced_bytes.h"

namespace mayfly {

// Whether the body that is to come is announced, and short. Of every other, refuse_head() asks
// first whether its client may send it.
inline bool has_unasked_body(const net::Request& request) {
  const auto bytes = net::announced_bytes(request);
  return bytes && *bytes <= limits::body_unasked_bytes_max;
}

}  // namespace mayfly
