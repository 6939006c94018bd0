// ClockFloor: which part of the time that answers show is on disk. A restart goes on from the
// newest commit, or from the instant in the row `m c` where that is later. No answer may leave
// while a restart could go behind its `now`: else a document that was seen dead would live again.
//
// The row also notes the kind of clock that the directory lives under (docs/formats.md).
#pragma once

#include <mutex>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "store/store.h"

namespace mayfly {

// Threads: any.
class ClockFloor {
 public:
  // The floor has been committed in that version: no restart goes behind `through`. Under the
  // commit mutex.
  void wrote(Instant through, store::Version version, const store::Store& store);
  // The version that must be durable before a restart cannot go behind `latest`; 0 where none need.
  // Later than applied() where a floor must be written first.
  store::Version covering(Instant latest, const store::Store& store);

 private:
  struct Written {
    Instant through{0};
    store::Version version = 0;
  };
  void settle(const store::Store& store);

  std::mutex mutex_;
  Written newest_;
  Instant durable_through_{0};
};

enum class ClockKind { system, manual };
inline ClockKind kind_of(const Clock& clock) {
  return clock.is_virtual() ? ClockKind::manual : ClockKind::system;
}

// What a store knows of the clock it has lived under.
struct ClockNote {
  std::optional<ClockKind> kind;  // none: it was made before this was noted, or has been released
  bool is_released = false;       // an operator has said that any clock may take it
  Instant floor{0};               // no later `now` has been answered
};
Result<ClockNote> read_clock_note(store::Store& store);
Bytes encode_clock_note(std::optional<ClockKind> kind, Instant through);  // no kind: released

// Whether a server with that kind of clock may open the store, at the machine's time. Fails with
// invalid, and says what to do.
Result<void> admit_clock(const ClockNote& note, ClockKind wanted, Instant machine_now);
// Lets the store be opened with any kind of clock, which it then keeps. Changes nothing in a new
// one, and fails as read_format() (format.h) before it changes anything.
Result<void> release_clock(store::Store& store);

}  // namespace mayfly
