// Meter: bounds the time and the memory of the evaluations of one request, however its expressions
// are nested. Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/limits.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly {

class Meter {
 public:
  using Now = Instant (*)();
  // `now` is a clock that no clock step disturbs (monotonic_now), and the deadline is on the same
  // scale; a null `now` means no deadline.
  Meter() = default;
  Meter(Now now, Instant deadline) : now_(now), deadline_(deadline) {}

  // Call it for each row read and each item visited, or once for several. Now and then it reads the
  // clock, and renews the RunPermit of the thread, if there is one, which may block for other
  // requests. Fails with timed_out after the deadline, or if the response is no longer needed.
  Result<void> tick(std::uint32_t n = 1) {
    const std::uint32_t before = ticks_;
    ticks_ += n;
    if (before / ticks_between_checks == ticks_ / ticks_between_checks) [[likely]]
      return {};
    return check();
  }
  // Counts the bytes that one evaluation has built; fails with too_large over
  // limits::query_bytes_max.
  Result<void> build(std::size_t bytes);
  // Begins a new evaluation: the values of the last one have been freed, or are counted where they
  // are kept.
  void begin_evaluation() { built_ = 0; }
  // While it exists, other evaluations may begin within one that has built something already; then
  // the count of the outer one goes on.
  class Within {
   public:
    explicit Within(Meter& meter) : meter_(meter), built_(meter.built_) {}
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { meter_.built_ = built_; }

   private:
    Meter& meter_;
    const std::size_t built_;
  };

 private:
  static constexpr std::uint32_t ticks_between_checks = 1'024;  // some 100 us of the cheapest rows
  Result<void> check();

  Now now_ = nullptr;
  Instant deadline_ = Instant::never();
  std::uint32_t ticks_ = 0;
  std::size_t built_ = 0;
};

// The approximate memory of a value with all its contents, in bytes. Shared parts count as often as
// they are reached. Counting stops soon after limits::query_bytes_max.
std::size_t weight(const Value& value);

}  // namespace mayfly
