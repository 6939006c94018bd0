// The processor time of the calling thread: what else the machine runs meanwhile does not count.
// For bounds on the cost of one piece of work.
#pragma once

#include "base/clock.h"

namespace mayfly {

Instant thread_time();

}  // namespace mayfly
