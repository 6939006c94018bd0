// RunPermit: the permission of one request to keep running on its thread. Work that may take long
// renews it now and then. So a request whose client has gone stops, and long requests leave room
// for short ones. The pool of threads creates it; the work finds it by current_run_permit().
#pragma once

#include <cstddef>

#include "base/result.h"

namespace mayfly {

// Threads: the one that runs the request.
class RunPermit {
 public:
  virtual ~RunPermit() = default;
  // May block while too many other requests take long. Fails with timed_out if the response is no
  // longer needed: the client has gone, the server stops, or the deadline has passed.
  virtual Result<void> renew() = 0;
  // Announces work that takes long and uses much memory: the request counts as long from now on,
  // regardless of the time it has taken so far. Otherwise like renew().
  virtual Result<void> become_long() { return renew(); }
  // Whether long work delays no short request: the request counts as long work, or its thread is
  // reserved for costly requests.
  virtual bool may_take_long() const { return false; }
  // Whether the response is no longer needed; never blocks. For work that must not wait for other
  // requests because its time is bounded already.
  virtual bool is_cancelled() const = 0;
  // Reports that the request used this many bytes at once; the memory is returned to the system
  // after the request.
  virtual void report_peak(std::size_t bytes) = 0;
};

// The permit of the request that this thread runs; null if there is none, for example on a
// background thread.
RunPermit* current_run_permit();

// Makes a permit the current one of this thread during the scope.
class RunPermitScope {
 public:
  explicit RunPermitScope(RunPermit& permit);
  ~RunPermitScope();
  RunPermitScope(const RunPermitScope&) = delete;
  RunPermitScope& operator=(const RunPermitScope&) = delete;

 private:
  RunPermit* before_;
};

}  // namespace mayfly
