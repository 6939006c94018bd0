#include "app/readiness.h"

#include "db/clock/clock_limits.h"
#include "store/wrappers/accepts_writes.h"

namespace mayfly::app {

Result<void> Readiness::check() const {
  const net::Server* server = server_;
  if (server == nullptr) return fail(Code::throttled, "the server is starting");
  if (is_stopping_) return fail(Code::throttled, "the server is stopping");
  if (server->stats().flushing_for > flush_time_max_) {
    return fail(Code::timed_out, "the disk does not confirm what has been written");
  }
  TRY(is_in_time());
  if (distance_ && distance_().ahead > limits::clock_ahead_ready_max) {
    return fail(Code::throttled, "the data's time is ahead of the machine's clock");
  }
  return store::accepts_writes(store_);
}

Result<void> Readiness::is_in_time() const {
  if (!distance_ || distance_().behind <= limits::clock_behind_max) return {};
  return fail(Code::throttled, "a commit takes too long, and the time of readers stands still");
}

}  // namespace mayfly::app
