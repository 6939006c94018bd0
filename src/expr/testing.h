// What tests of expressions share.
#pragma once

#include "expr/evaluation/meter.h"

namespace mayfly {

// A meter without a deadline, for small values. Each evaluation begins to count again.
inline Meter& unbounded() {
  thread_local Meter meter;
  return meter;
}

}  // namespace mayfly
