// Refusal: why the server answers a request in a handler's stead.
#pragma once

#include "base/result.h"

namespace mayfly::net {

// The status is HTTP's; the words are the handler's dialect.
struct Refusal {
  int status = 0;  // 0: as the dialect has it
  Error error;
  bool closes = true;  // what follows on the connection cannot be understood any more
};

}  // namespace mayfly::net
