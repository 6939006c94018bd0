// Process: one process that runs scripts, as the server sees it. Ends with this object.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "script/process/channel.h"

namespace mayfly::script {

// Threads: one at a time; the one that starts it must outlive it.
class Process {
 public:
  // Does not wait until it is ready. Fails with internal.
  static Result<Process> start();
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) = delete;

  pid_t id() const { return id_; }
  Channel& channel() { return channel_; }

  // Ends the process where it has not ended yet, and says why nothing more comes of it: too_large
  // where it had no memory, internal otherwise. What is not ordinary is logged.
  Error end();

  std::string scope = {};  // for which it has run scripts; empty: none
  Span worked = {};        // for them

 private:
  Process(pid_t id, int socket) : id_(id), channel_(socket) { channel_.wait_in_steps(); }
  int wait_for_end();

  pid_t id_;  // 0: has ended
  Channel channel_;
};

Error took_too_much();

}  // namespace mayfly::script
