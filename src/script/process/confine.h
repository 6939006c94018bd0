// What a process that runs scripts gives up before it meets one.
#pragma once

#include "base/result.h"

namespace mayfly::script {

// Sanitizers need memory and calls of their own: what is built with one is not confined.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_confined = false;
#else
inline constexpr bool is_confined = true;
#endif

// Bounds what the process may take of the machine, has it end with its server, and makes it the
// first that is ended where the machine has no memory left. Fails where a bound cannot be set.
Result<void> bound_process();

// From now on the process can use its memory and this socket, and end; any other call kills it.
// There is no way back.
Result<void> confine_calls(int socket);

}  // namespace mayfly::script
