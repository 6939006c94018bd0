#include "script/process/process.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/service/logging.h"
#include "script/engine/engine.h"
#include "script/limits.h"
#include "script/process/child.h"
#include "script/process/confine.h"

namespace mayfly::script {
namespace {

constexpr const char* own_program = "/proc/self/exe";

// The signals by which the engine's library ends if it has no memory, and by which the system kills
// a process if the machine has none.
constexpr int signals_without_memory[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL, SIGKILL};

// Attributes of a new process that inherits nothing from the server: no files, environment, session
// or signal handlers.
struct SpawnActions {
  SpawnActions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  int leave_only(int socket) {
    int failed = posix_spawn_file_actions_adddup2(&files, socket, sandbox_socket);
    // A sanitizer reports to these files.
    for (int file = 0; file < sandbox_socket && is_confined; ++file) {
      failed |= posix_spawn_file_actions_addclose(&files, file);
    }
    failed |= posix_spawn_file_actions_addclosefrom_np(&files, sandbox_socket + 1);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    failed |= posix_spawnattr_setsigmask(&attributes, &none);
    failed |= posix_spawnattr_setsigdefault(&attributes, &all);
    failed |= posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return failed;
  }

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

// Starts the program of this process again; returns 0 and sets errno if it fails.
pid_t spawn(int socket) {
  SpawnActions actions;
  std::string word = sandbox_word;
  // With a sanitizer, its options bound memory in place of the confinement.
  std::string options =
      "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=96";
  std::string more_options = "TSAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=96";
  char* const arguments[] = {word.data(), nullptr};
  char* const environment[] = {is_confined ? nullptr : options.data(), more_options.data(),
                               nullptr};
  pid_t id = 0;
  errno = actions.leave_only(socket);
  if (errno == 0) {
    errno =
        posix_spawn(&id, own_program, &actions.files, &actions.attributes, arguments, environment);
  }
  return errno == 0 ? id : 0;
}

}  // namespace

Error memory_exceeded() {
  return {Code::too_large, "The script holds more memory than it may (script_heap_bytes_max, " +
                               std::to_string(limits::script_heap_bytes_max) + " bytes)."};
}

Result<Process> Process::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    const pid_t id = spawn(ends[1]);
    close(ends[1]);
    if (id > 0) return Process(id, ends[0]);
    close(ends[0]);
  }
  log(LogLevel::error, "a process for scripts does not start", {{"error", std::strerror(errno)}});
  return fail(Code::internal, "The engine for scripts does not start.");
}

Process::Process(Process&& other) noexcept
    : scope(std::move(other.scope)),
      worked(other.worked),
      id_(std::exchange(other.id_, 0)),
      channel_(std::move(other.channel_)) {}

Process::~Process() {
  if (id_ > 0) wait_for_end();
}

int Process::wait_for_end() {
  kill(id_, SIGKILL);
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  return status;
}

Error Process::end() {
  if (id_ == 0) return {Code::internal, "The process of the script has ended."};
  const pid_t id = id_;
  const int status = wait_for_end();
  if (WIFEXITED(status) && WEXITSTATUS(status) == exit_out_of_memory) return memory_exceeded();
  log(LogLevel::warn, "a process that runs scripts has ended unexpectedly",
      {{"process", id},
       {"signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0},
       {"status", WIFEXITED(status) ? WEXITSTATUS(status) : 0}});
  const auto* last = std::end(signals_without_memory);
  const bool had_no_memory = WIFSIGNALED(status) && std::find(std::begin(signals_without_memory),
                                                              last, WTERMSIG(status)) != last;
  if (had_no_memory) return memory_exceeded();
  if (WIFEXITED(status) && WEXITSTATUS(status) == exit_not_started) {
    return {Code::internal, "The engine for scripts does not start."};
  }
  return {Code::internal, "The process of the script has ended."};
}

}  // namespace mayfly::script
