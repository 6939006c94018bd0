// ClockFloor: the instant, stored on disk, from which the clock goes on after a restart. A restart
// continues at the newest commit, or at the instant in the row `m c` if that is later. No answer
// may leave while a restart could go back behind its `now`: otherwise a document that a reader saw
// as expired would live again.
//
// The row also stores the kind of clock that the directory is used with (docs/formats.md).
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
  // The floor has been committed in that version: no restart goes behind `through`. Called under
  // the commit mutex.
  void wrote(Instant through, store::Version version, const store::Store& store);
  // The version that must be durable so that no restart can go behind `latest`; 0 if none has to
  // be. Later than applied() if a floor must be written first.
  store::Version covering(Instant latest, const store::Store& store);

 private:
  struct WrittenFloor {
    Instant through{0};
    store::Version version = 0;
  };
  void update_durable(const store::Store& store);

  std::mutex mutex_;
  WrittenFloor newest_;
  Instant durable_through_{0};
};

enum class ClockKind { system, manual };
inline ClockKind kind_of(const Clock& clock) {
  return clock.is_virtual() ? ClockKind::manual : ClockKind::system;
}

// What a store records about the clock that it has been used with.
struct ClockRecord {
  std::optional<ClockKind>
      kind;                  // none: the store predates this record, or its clock has been released
  bool is_released = false;  // an operator has allowed any clock to take it over
  Instant floor{0};          // no later `now` has been answered
};
Result<ClockRecord> read_clock_record(store::Store& store);
Bytes encode_clock_record(std::optional<ClockKind> kind, Instant through);  // no kind: released

// Whether a server with that kind of clock may open the store, at the machine's time. Fails with
// invalid, and the message says what to do.
Result<void> admit_clock(const ClockRecord& note, ClockKind kind, Instant machine_now);
// Lets the store be opened with any kind of clock, which it then keeps. Changes nothing in a new
// store. Fails as read_format() (format.h) before it changes anything.
Result<void> release_clock(store::Store& store);

}  // namespace mayfly
