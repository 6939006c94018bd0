#include "base/threads/thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>

#include "base/service/logging.h"

namespace mayfly {
namespace {

// Where the calling thread's stack ends. Threads whose stack the system does not tell are taken to
// have none left.
const char* stack_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  return is_known ? static_cast<const char*>(lowest) : nullptr;
}

std::atomic<std::uint64_t> thread_failures = 0;

// A tenth of the share of others: it still comes to its end where it holds what they wait for.
constexpr int background_niceness = 10;
// The shortest turn Linux gives. Since 6.12 whoever asks for short turns is let in at once while
// somebody with a longer one runs; older ones leave it unheard.
constexpr std::uint64_t prompt_turn_nanos = 100'000;

// What sched_setattr(2) takes: the C library has no header for it, and the kernel's own does not go
// together with the C library's.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = SCHED_OTHER;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

void name_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
}

}  // namespace

std::size_t stack_left() {
  static thread_local const char* const end = stack_end();
  // Not the address of a variable: AddressSanitizer may keep that elsewhere.
  const char* const here = static_cast<const char*>(__builtin_frame_address(0));
  return end == nullptr || here < end ? 0 : static_cast<std::size_t>(here - end);
}

void note_guarded_failure(const char* what, const char* why) {
  thread_failures.fetch_add(1, std::memory_order_relaxed);
  try {
    log(LogLevel::error, std::string(what) + " failed", {{"error", why}});
  } catch (const std::exception&) {
    // There is no memory even for the line of the log; the count tells of it.
  }
}

bool run_guarded(const char* what, const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const std::exception& error) {
    note_guarded_failure(what, error.what());
  } catch (...) {
    note_guarded_failure(what, "an exception of unknown kind");
  }
  return false;
}

void keep_running(const char* what, const std::function<void()>& body, Span pause) {
  while (!run_guarded(what, body)) {
    std::this_thread::sleep_for(std::chrono::microseconds(pause.micros));
  }
}

std::uint64_t guarded_failures() {
  return thread_failures.load(std::memory_order_relaxed);
}

void become_prompt_thread(const char* name) {
  name_thread(name);
  SchedulingAttributes wanted;
  wanted.nice = getpriority(PRIO_PROCESS, 0);
  wanted.runtime = prompt_turn_nanos;
  syscall(SYS_sched_setattr, 0, &wanted, 0);
}

void become_background_thread(const char* name) {
  name_thread(name);
  // Linux counts threads here, not processes.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), background_niceness);
}

}  // namespace mayfly
