// Helpers for tests of expressions.
#pragma once

#include "expr/evaluation/meter.h"

namespace mayfly {

// A meter without a deadline, for small values. Each evaluation counts from zero.
inline Meter& unbounded() {
  thread_local Meter meter;
  return meter;
}

}  // namespace mayfly
