// What keeps the evaluation of one request within its time: it ends when nobody waits any more.
#pragma once

#include "base/limits.h"
#include "expr/evaluation/meter.h"
#include "net/message.h"

namespace mayfly {

inline Meter meter_of(const net::Request& request) {
  // Without a server before it (in tests) a request begins when it is answered.
  const bool is_due = !request.answer_by.is_never();
  return {monotonic_now, is_due ? request.answer_by : monotonic_now() + limits::request_time_max};
}

}  // namespace mayfly
