// Meter: what keeps one request's evaluation within bounds, however its expressions are nested.
// Threads: one at a time.
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
  // `now` is time that no clock step disturbs (monotonic_now), and the deadline is on the same
  // scale; a null `now` means that there is no deadline.
  Meter() = default;
  Meter(Now now, Instant deadline) : now_(now), deadline_(deadline) {}

  // To be called for each row read and each item visited, or once for several. Fails with timed_out
  // once the deadline has passed; asks for the time only now and then.
  Result<void> tick(std::uint32_t n = 1) {
    const std::uint32_t before = ticks_;
    ticks_ += n;
    if (before / ticks_between_looks == ticks_ / ticks_between_looks) [[likely]]
      return {};
    return look();
  }
  // What one evaluation has built; fails with too_large over limits::query_bytes_max.
  Result<void> build(std::size_t bytes);
  // A new evaluation begins: what the last one built is gone, or counted where it is kept.
  void begin_evaluation() { built_ = 0; }
  // While it lives, other evaluations run within one that has built something already.
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
  static constexpr std::uint32_t ticks_between_looks = 1'024;  // some 100 us of the cheapest rows
  Result<void> look();

  Now now_ = nullptr;
  Instant deadline_ = Instant::never();
  std::uint32_t ticks_ = 0;
  std::size_t built_ = 0;
};

// About how many bytes of memory a value takes, with all it holds.
std::size_t weight(const Value& value);

}  // namespace mayfly
