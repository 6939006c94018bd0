// Pool: the processes that run scripts. One is started beside those that are in use, so that a
// request finds it ready; those that have served wait for requests of their scope.
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
  Span worked_max{limits::script_work_max.micros / 2};  // by one that is kept
};

// Threads: any. Nothing is started before the first take(). What take() gives ends before the pool.
// The program must call serve_if_sandbox (process/child.h).
class Pool {
 public:
  explicit Pool(PoolOptions options = {}) : options_(options) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // A process for one request, until `stop_at` (Sandbox). It serves no scope but this one, now and
  // later: what a script leaves in it can reach only scripts of the same scope. Fails with
  // throttled where there are processes_max, as check_goes_on() does, and with internal where none
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
  std::condition_variable needed_;   // by the thread that starts processes
  std::condition_variable started_;  // by those that wait for one
  std::list<Result<Process>> new_;   // of no scope yet
  std::list<Process> kept_;          // of the scopes that they have; the oldest one first
  std::size_t in_use_ = 0;
  std::size_t waiting_ = 0;
  bool is_over_ = false;
  // Processes end with the thread that has started them (PR_SET_PDEATHSIG), so it lives as long.
  std::thread starter_;
};

}  // namespace mayfly::script
