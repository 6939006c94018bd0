// Pool: the processes that run scripts. A spare one is started beside those in use, so that a
// request finds it ready. Used processes are kept for later requests of their scope.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "script/limits.h"
#include "script/process/process.h"
#include "script/sandbox.h"

namespace mayfly::script {

struct PoolOptions {
  std::size_t processes_max = limits::script_processes_max;
  std::size_t kept_max = limits::script_processes_kept_max;
  Span worked_max{limits::script_work_max.micros / 2};  // by a kept process; more: it is ended
};

// Threads: any. No process is started before the first take(). Sandboxes from take() must be
// destroyed before the pool. The program must call serve_if_sandbox (process/child.h).
class Pool {
 public:
  explicit Pool(PoolOptions options = {}) : options_(options) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Takes a process for one request, until `stop_at` (Sandbox). It serves only this scope, now and
  // later, so data that a script leaves in it can reach only scripts of the same scope. Fails with
  // throttled if processes_max are in use, as check_goes_on() does, and with internal if no process
  // starts.
  Result<std::unique_ptr<Sandbox>> take(std::string_view scope, Instant stop_at);

 private:
  friend class Sandbox;
  using Lock = std::unique_lock<std::mutex>;

  void give_back(Process process, bool is_usable);
  Result<Process> take_process(std::string_view scope, Instant stop_at);
  Result<Process> wait_for_new(Lock& lock, Instant stop_at);
  std::optional<Process> take_kept(std::string_view scope);
  bool needs_new() const;
  void start_processes();

  const PoolOptions options_;
  std::mutex mutex_;
  std::condition_variable needed_;   // the starter thread waits for it
  std::condition_variable started_;  // threads that need a process wait for it
  std::list<Result<Process>> new_;   // without a scope
  std::list<Process> kept_;          // idle, with their scopes; the oldest one first
  std::size_t in_use_ = 0;
  std::size_t waiting_ = 0;
  bool is_over_ = false;
  // A process ends with the thread that has started it (PR_SET_PDEATHSIG), so this thread lives as
  // long as the pool.
  std::thread starter_;
};

}  // namespace mayfly::script
