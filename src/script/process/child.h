// The main function of a process that runs scripts.
#pragma once

namespace mayfly::script {

// The only argument of such a process (argv[0]), and the number of its socket.
inline constexpr const char* sandbox_word = "mayfly-script";
inline constexpr int sandbox_socket = 3;

// If this is such a process, serves it until its end and never returns. Every program with a Pool
// must call it first in main(), before it starts threads.
void serve_if_sandbox(int count, char** arguments);

}  // namespace mayfly::script
