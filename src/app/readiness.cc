#include "app/readiness.h"

#include "store/takes_writes.h"

namespace mayfly::app {

Result<void> Readiness::ask() const {
  const net::Server* server = server_;
  if (server == nullptr) return fail(Code::throttled, "the server is starting");
  if (is_stopping_) return fail(Code::throttled, "the server is stopping");
  if (server->stats().flushing_for > flush_time_max_) {
    return fail(Code::timed_out, "the disk does not confirm what has been written");
  }
  return store::takes_writes(store_);
}

}  // namespace mayfly::app
