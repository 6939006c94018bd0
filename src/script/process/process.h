// Process: one process that runs scripts, as the server sees it. The destructor ends the process.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "script/process/channel.h"

namespace mayfly::script {

// Threads: one at a time. The thread that starts it must outlive it.
class Process {
 public:
  // Returns before the process is ready. Fails with internal.
  static Result<Process> start();
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) = delete;

  pid_t id() const { return id_; }
  Channel& channel() { return channel_; }

  // Ends the process if it still runs, and returns why: too_large if it had no memory, internal
  // otherwise. Unexpected ends are logged.
  Error end();

  std::string scope = {};  // the scope of its scripts; empty: none yet
  Span worked = {};        // the time spent on them

 private:
  Process(pid_t id, int socket) : id_(id), channel_(socket) { channel_.use_short_timeouts(); }
  int wait_for_end();

  pid_t id_;  // 0: has ended
  Channel channel_;
};

Error memory_exceeded();

}  // namespace mayfly::script
