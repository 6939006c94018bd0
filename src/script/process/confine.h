// Confinement of a process before it runs scripts.
#pragma once

#include "base/result.h"

namespace mayfly::script {

// Sanitizers need memory and system calls of their own: a build with a sanitizer is not confined.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_confined = false;
#else
inline constexpr bool is_confined = true;
#endif

// Bounds the resources of the process, makes it end with its server, and makes it the first one
// that is killed if the machine has no memory left. Fails if a bound cannot be set.
Result<void> bound_process();

// From now on, the process can only use its memory and this socket, and exit. Any other system call
// kills it. This cannot be undone.
Result<void> confine_calls(int socket);

}  // namespace mayfly::script
