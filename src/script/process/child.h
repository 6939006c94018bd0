// The process that runs scripts, from its beginning to its end.
#pragma once

namespace mayfly::script {

// The first word of such a process's arguments, and its socket.
inline constexpr const char* sandbox_word = "mayfly-script";
inline constexpr int sandbox_socket = 3;

// Where this is such a process, serves it until its end and never returns. To be called first in
// main(), before there are threads, by every program that has a Pool.
void serve_if_sandbox(int count, char** arguments);

}  // namespace mayfly::script
