// Blocking calls: for the command line, or for a thread that does nothing else.
#pragma once

#include "net/calls/caller.h"

namespace mayfly::net {

// Blocks. Fails as Caller::call. Without a caller, it starts one for this call, with a thread.
Result<Response> fetch(OutgoingCall call);
// The caller outlives the call.
Result<Response> fetch(OutgoingCall call, Caller& caller);

}  // namespace mayfly::net
