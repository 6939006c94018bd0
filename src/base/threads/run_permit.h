// RunPermit: the leave of one request to go on running on its thread. Work that may take long
// renews
// it now and then; so a request whose client has gone stops, and long requests leave room for short
// ones.
#pragma once

#include <cstddef>

#include "base/result.h"

namespace mayfly {

// Threads: the one that answers the request.
class RunPermit {
 public:
  virtual ~RunPermit() = default;
  // May block while too many other requests take long. Fails with timed_out where nobody waits for
  // the answer any more: the client has gone, the server stops, or the deadline has passed.
  virtual Result<void> renew() = 0;
  // What comes takes long and holds much: it counts as long work from now on, whatever it has taken
  // so far. Otherwise as renew().
  virtual Result<void> become_long() { return renew(); }
  // Whether work that takes long keeps no short request waiting: the request counts as long work,
  // or its thread is there for what is costly.
  virtual bool may_take_long() const { return false; }
  // Whether no client waits for the answer any more; never blocks. For work that must not wait for
  // other requests, because its time is bounded already.
  virtual bool is_cancelled() const = 0;
  // The request has held so many bytes at once; the memory is given back to the system after it.
  virtual void note_peak(std::size_t bytes) = 0;
};

// Of the request that this thread answers; null where there is none, as on a thread of
// housekeeping.
RunPermit* current_run_permit();

// Makes a permit the current one of this thread for as long as it lives.
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
