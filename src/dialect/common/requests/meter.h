// The meter that bounds the evaluation of one request: it ends when the client no longer waits.
#pragma once

#include "base/limits.h"
#include "expr/evaluation/meter.h"
#include "net/message.h"

namespace mayfly {

inline Meter meter_of(const net::Request& request) {
  // Without a server (in tests) the time of a request begins with this call.
  const bool is_due = !request.answer_by.is_never();
  return {monotonic_now, is_due ? request.answer_by : monotonic_now() + limits::request_time_max};
}

}  // namespace mayfly
