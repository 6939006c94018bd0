// When a scheduled trigger runs next.
#pragma once

#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

// Fails with invalid, naming the member by its path.
Result<void> check_schedule(const Trigger& trigger);
// The first run after `t`, from which intervals are counted; never() if there is none.
Instant next_run(const Trigger& trigger, Instant t);

}  // namespace mayfly::centrali
