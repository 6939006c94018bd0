// A call that is waited for, for the command line.
#pragma once

#include "net/caller.h"

namespace mayfly::net {

// Blocks. Fails as Caller::call.
Result<Response> fetch(Call call);

}  // namespace mayfly::net
