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

// The end of the calling thread's stack. If the system does not report it, the thread is treated as
// if no stack were left.
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

// A tenth of the share of others: the thread still finishes if it holds something that others wait
// for.
constexpr int background_niceness = 10;
// The shortest time slice that Linux grants. Since 6.12, a thread that requests short slices
// preempts one with a longer slice immediately; older kernels ignore the request.
constexpr std::uint64_t prompt_slice_nanos = 100'000;

// The argument of sched_setattr(2): the C library has no header for it, and the kernel's own
// conflicts with the C library's.
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
  // Not the address of a variable: AddressSanitizer may place variables elsewhere.
  const char* const here = static_cast<const char*>(__builtin_frame_address(0));
  return end == nullptr || here < end ? 0 : static_cast<std::size_t>(here - end);
}

void report_guarded_failure(const char* what, const char* why) {
  thread_failures.fetch_add(1, std::memory_order_relaxed);
  try {
    log(LogLevel::error, std::string(what) + " failed", {{"error", why}});
  } catch (const std::exception&) {
    // There is no memory even for the log line; the count shows it.
  }
}

bool run_guarded(const char* what, const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const std::exception& error) {
    report_guarded_failure(what, error.what());
  } catch (...) {
    report_guarded_failure(what, "an exception of unknown kind");
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
  SchedulingAttributes attributes;
  attributes.nice = getpriority(PRIO_PROCESS, 0);
  attributes.runtime = prompt_slice_nanos;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void become_background_thread(const char* name) {
  name_thread(name);
  // Linux counts threads here, not processes.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), background_niceness);
}

}  // namespace mayfly
