#include "script/process/confine.h"

#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string_view>
#include <vector>

#include "script/limits.h"
#include "script/process/child.h"

namespace mayfly::script {
namespace {

struct Bound {
  __rlimit_resource resource;
  rlim_t most;
};
constexpr Bound bounds[] = {
    {RLIMIT_CORE, 0},
    {RLIMIT_CPU, static_cast<rlim_t>(limits::script_work_max.whole_seconds())},
    {RLIMIT_STACK, 8 * limits::script_stack_bytes_max},
    // Not RLIMIT_AS, which counts mapped libraries that are never used.
    {RLIMIT_DATA, limits::script_data_bytes_max},
};

void be_killed_first() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  constexpr std::string_view highest = "1000";
  [[maybe_unused]] const ssize_t written = write(file, highest.data(), highest.size());
  close(file);
}

// --- system calls ---

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

// Requires that the bits `mask` of an argument are `value`.
constexpr scmp_arg_cmp bits(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}
constexpr scmp_arg_cmp equals(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}

struct AllowedCall {
  int call;
  std::vector<scmp_arg_cmp> arguments = {};  // all must hold
};

// Memory must be private, without a file, and not executable. Shared memory and memory that grows
// downwards would not count against RLIMIT_DATA.
constexpr std::uint64_t free_flags = MAP_NORESERVE | MAP_STACK | MAP_FIXED | MAP_FIXED_NOREPLACE;
constexpr std::uint64_t private_memory = MAP_PRIVATE | MAP_ANONYMOUS;

std::vector<AllowedCall> allowed_calls(int socket) {
  const auto own_socket = equals(0, static_cast<std::uint64_t>(socket));
  const auto own_process = equals(0, static_cast<std::uint64_t>(getpid()));
  return {
      {SCMP_SYS(recvfrom), {own_socket}},
      {SCMP_SYS(sendto), {own_socket}},
      {SCMP_SYS(mmap), {bits(2, PROT_EXEC, 0), bits(3, ~free_flags, private_memory)}},
      {SCMP_SYS(mremap), {equals(3, MREMAP_MAYMOVE)}},  // realloc
      {SCMP_SYS(mprotect), {bits(2, ~std::uint64_t{PROT_READ | PROT_WRITE}, 0)}},
      {SCMP_SYS(munmap)},
      {SCMP_SYS(madvise)},
      {SCMP_SYS(brk)},
      {SCMP_SYS(futex)},
      {__SNR_clock_gettime},
      {SCMP_SYS(getrandom)},
      {SCMP_SYS(getrusage)},  // a collection counts page faults
      {SCMP_SYS(exit_group)},
      {SCMP_SYS(rt_sigreturn)},
      // Used by the engine to end by a signal; it writes the reason to a closed file.
      {SCMP_SYS(write), {equals(0, STDERR_FILENO)}},
      {SCMP_SYS(rt_sigaction)},
      {SCMP_SYS(rt_sigprocmask)},
      {SCMP_SYS(getpid)},
      {SCMP_SYS(gettid)},
      {SCMP_SYS(tgkill), {own_process}},
  };
}

tl::unexpected<Error> not_confined() {
  return fail(Code::internal, "The process of a script cannot be confined.");
}

}  // namespace

Result<void> bound_process() {
  prctl(PR_SET_NAME, sandbox_word);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  be_killed_first();
  for (const Bound& bound : bounds) {
    if (bound.resource == RLIMIT_DATA && !is_confined) continue;
    rlimit before = {};
    if (getrlimit(bound.resource, &before) != 0) return not_confined();
    const rlim_t most = std::min(bound.most, before.rlim_max);
    const rlimit both{most, most};
    if (setrlimit(bound.resource, &both) != 0) return not_confined();
  }
  return {};
}

Result<void> confine_calls(int socket) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return not_confined();
  if (!is_confined) return {};
  const Filter filter(seccomp_init(SCMP_ACT_KILL_PROCESS), seccomp_release);
  if (filter == nullptr) return not_confined();
  for (const AllowedCall& allowed : allowed_calls(socket)) {
    const auto count = static_cast<unsigned>(allowed.arguments.size());
    if (seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, allowed.call, count,
                               allowed.arguments.data()) != 0) {
      return not_confined();
    }
  }
  return seccomp_load(filter.get()) == 0 ? Result<void>() : not_confined();
}

}  // namespace mayfly::script
