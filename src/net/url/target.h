// The target of a request, in its parts.
#pragma once

#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

// Splits the request's target into path and parameters. It is `/path?query`, the same after
// `http://host`, or `*`. Fails with invalid for anything else.
Result<void> read_target(Request& request);

}  // namespace mayfly::net
