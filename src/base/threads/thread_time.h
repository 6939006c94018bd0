// The time that the calling thread has worked, on a scale of its own: what else the machine runs
// meanwhile does not count. For bounds on what one piece of work may cost.
#pragma once

#include "base/clock.h"

namespace mayfly {

Instant thread_time();

}  // namespace mayfly
