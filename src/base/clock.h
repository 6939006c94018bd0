// Time. An Instant is microseconds since the Unix epoch, a Span is the microseconds between two
// instants. Commits, lifetimes and values of the kind `time` have no other unit. Only SystemClock
// reads the wall clock. Code that needs `now` receives a Clock or, better, the Instant at which the
// request began.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <limits>

namespace mayfly {

// A length of time, in microseconds; may be negative. Arithmetic saturates, so no TTL can wrap
// around.
struct Span {
  std::int64_t micros = 0;

  static constexpr Span seconds(std::int64_t n);
  static constexpr Span millis(std::int64_t n);
  static constexpr Span infinite() { return {std::numeric_limits<std::int64_t>::max()}; }
  // Whole seconds, rounded towards the past.
  constexpr std::int64_t whole_seconds() const {
    return micros / 1'000'000 - (micros % 1'000'000 < 0 ? 1 : 0);
  }
  constexpr auto operator<=>(const Span&) const = default;
};

// A point in time, UTC. `never` is later than every point that can be reached.
struct Instant {
  std::int64_t micros = 0;

  static constexpr Instant never() { return {std::numeric_limits<std::int64_t>::max()}; }
  static constexpr Instant beginning() { return {std::numeric_limits<std::int64_t>::min()}; }
  static constexpr Instant from_seconds(std::int64_t s);
  constexpr bool is_never() const { return *this == never(); }
  // The last whole second at or before this instant.
  constexpr Instant floor_second() const;
  constexpr std::int64_t whole_seconds() const { return Span{micros}.whole_seconds(); }
  constexpr auto operator<=>(const Instant&) const = default;
};

namespace detail {
constexpr std::int64_t saturate(__int128 wide) {
  constexpr __int128 low = std::numeric_limits<std::int64_t>::min();
  constexpr __int128 high = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(wide < low ? low : wide > high ? high : wide);
}
}  // namespace detail

constexpr Span Span::seconds(std::int64_t n) {
  return {detail::saturate(static_cast<__int128>(n) * 1'000'000)};
}
constexpr Span Span::millis(std::int64_t n) {
  return {detail::saturate(static_cast<__int128>(n) * 1'000)};
}
constexpr Instant Instant::from_seconds(std::int64_t s) {
  return {Span::seconds(s).micros};
}
constexpr Instant Instant::floor_second() const {
  return is_never() ? *this : from_seconds(whole_seconds());
}
constexpr Instant operator+(Instant t, Span s) {
  return {detail::saturate(static_cast<__int128>(t.micros) + s.micros)};
}
constexpr Instant operator-(Instant t, Span s) {
  return {detail::saturate(static_cast<__int128>(t.micros) - s.micros)};
}
constexpr Span operator-(Instant a, Instant b) {
  return {detail::saturate(static_cast<__int128>(a.micros) - b.micros)};
}

// Where time comes from. Threads: all members may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  // Whether time stands still until it is moved.
  virtual bool is_virtual() const = 0;
};

// The machine's wall clock. It may step in either direction; CommitClock (db/) is what keeps it
// from going back.
class SystemClock final : public Clock {
 public:
  Instant now() const override;
  bool is_virtual() const override { return false; }
};

// A clock that stands still until it is moved, for tests and for `--clock virtual`.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Instant start) : now_{start.micros} {}
  Instant now() const override { return {now_.load(std::memory_order_acquire)}; }
  bool is_virtual() const override { return true; }
  void set(Instant t) { now_.store(t.micros, std::memory_order_release); }
  void advance(Span by) { set(now() + by); }

 private:
  std::atomic<std::int64_t> now_;
};

// Time since an arbitrary start that no clock step disturbs: for deadlines of I/O and for
// measuring, never for lifetimes. Compare it only with other values of this function.
Instant monotonic_now();

}  // namespace mayfly
