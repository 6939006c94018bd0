// The processor time that the calling thread has used since its start: what else the machine runs
// meanwhile does not count. For bounds on the cost of one piece of work: compare two values of the
// same thread.
#pragma once

#include "base/clock.h"

namespace mayfly {

Instant thread_time();

}  // namespace mayfly
