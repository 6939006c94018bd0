// A call that is waited for: of the command line, or of a thread that does nothing else.
#pragma once

#include "net/calls/caller.h"

namespace mayfly::net {

// Blocks. Fails as Caller::call. Without a caller it starts one for this call, hence a thread.
Result<Response> fetch(Call call);
// The caller outlives the call.
Result<Response> fetch(Call call, Caller& caller);

}  // namespace mayfly::net
