// The parts of a request's target.
#pragma once

#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

// Splits the request's target into path and parameters. Valid forms are `/path?query`, the same
// after `http://host` or `https://host`, and for OPTIONS `*`, which becomes the path `/`. Fails with
// invalid for anything else.
Result<void> read_target(Request& request);

}  // namespace mayfly::net
