#include "base/clock.h"

#include <ctime>

#include "base/threads/thread_time.h"

namespace mayfly {
namespace {

Instant read_clock(clockid_t which) {
  timespec t{};
  clock_gettime(which, &t);
  return {static_cast<std::int64_t>(t.tv_sec) * 1'000'000 + t.tv_nsec / 1'000};
}

}  // namespace

Instant SystemClock::now() const {
  return read_clock(CLOCK_REALTIME);
}

Instant monotonic_now() {
  return read_clock(CLOCK_MONOTONIC);
}

Instant thread_time() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace mayfly
