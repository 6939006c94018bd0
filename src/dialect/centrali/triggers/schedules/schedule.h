// When a scheduled trigger runs next.
#pragma once

#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

// Fails with invalid, naming the member by its path.
Result<void> check_schedule(const Trigger& trigger);
// Whether both have the same kind of schedule with the same times.
bool has_same_schedule(const Trigger& one, const Trigger& other);
// The first run after `t`, from which intervals are counted; never() if there is none.
Instant next_run(const Trigger& trigger, Instant t);
// Stores when the changed trigger runs next. A next run is kept if the schedule is the same, also
// one that is due: whatever else has changed, no run is lost. `before` is a default trigger if the
// trigger is new. Fails with invalid if a new schedule has no time after `now`.
Result<void> plan_next_run(const Trigger& before, Trigger& trigger, Instant now);

}  // namespace mayfly::centrali
