// Refusal: why the server and not the handler answers a request.
#pragma once

#include "base/result.h"

namespace mayfly::net {

// The status is that of HTTP; the dialect of the handler renders the error.
struct Refusal {
  int status = 0;  // 0: as the dialect chooses
  Error error;
  bool closes = true;  // later bytes on the connection cannot be parsed
};

}  // namespace mayfly::net
