// Functions: runs the compute functions of workspaces, in the thread of a request or in those of
// script::Runner, and reports how each run has ended.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "dialect/centrali/call.h"
#include "dialect/centrali/functions/chain_counts.h"
#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/functions/runs.h"
#include "dialect/centrali/webhooks/target.h"
#include "script/runner.h"

namespace mayfly::script {
class Sandbox;  // script/sandbox.h
}

namespace mayfly::centrali {

class FunctionHost;
struct FunctionEnvironment;
class Schedules;

// What to run, and why.
struct RunOrder {
  std::string workspace;
  ComputeFunction function;
  std::string trigger = {};  // its id; empty: there is none
  std::string_view source;   // as the API calls it: event-driven, scheduled, …
  Value parameters = Object();
  Value trigger_parameters = Object();
  std::int64_t attempt = 1;
  std::int64_t depth = 1;  // the runs of the chain, with this one
  std::string root = {};   // the id of the run that began the chain; empty: this one
  Instant answer_by = Instant::never();
};

// How a run ended. A failure of the function itself is also an end.
struct RunEnd {
  Run run;
  bool was_refused = false;  // too many runs were active: it can be tried again
  bool was_cut = false;      // its chain is too long: trying it again would change nothing
};

// Threads: any.
class Functions {
 public:
  // All outlive the object.
  struct Dependencies {
    const Services& services;
    const CentraliOptions& options;
    Directory& directory;
    SendCall send;  // for requests over HTTP that functions make
  };
  explicit Functions(Dependencies dependencies);
  ~Functions();
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;

  // Fails with invalid, naming `code`, if the code does not parse or defines no run(), and as
  // scripts fail.
  Result<void> check(const std::string& workspace, std::string_view code, Instant answer_by);

  // Runs it in this thread until it has ended. `at_end` is called in the transaction that stores
  // the end, unless the run was refused because too many are active. Fails with unsupported if the
  // server runs no scripts, and as the database fails.
  using AtEnd = std::function<Result<void>(Transaction&)>;
  Result<RunEnd> run(const RunOrder& order, const AtEnd& at_end = {});
  // Queues the task to run in the background, with the workspace's fair share. False, and not
  // queued, if too many wait.
  bool run_later(const std::string& workspace, script::Runner::Task task);
  // The server is stopping: a failure from now on may be due to that.
  bool is_stopping() const;

  Schedules& schedules() { return *schedules_; }

  // Updates the status of a stored run: one that was running when the server ended has failed.
  Result<void> update_status(const std::string& workspace, Run& run) const;

 private:
  class ActiveRun;
  // Fails with exists if the chain is cut before this run.
  Result<void> admit(const RunOrder& order, const std::string& root);
  void take_back(const std::string& root);
  FunctionEnvironment environment_of(const RunOrder& order, DatabaseId workspace,
                                     const std::string& root, Instant stop_at);
  Result<Value> execute(const RunOrder& order, FunctionHost& host, Instant stop_at);
  Result<std::unique_ptr<script::Sandbox>> sandbox(const std::string& workspace, Instant stop_at);

  const Dependencies dependencies_;
  mutable std::mutex mutex_;
  std::set<std::string> running_;  // guarded
  ChainCounts chain_counts_;       // guarded
  std::unique_ptr<Schedules> schedules_;
  std::unique_ptr<script::Runner::Group> tasks_;  // null: nothing runs in the background
};

// The tables of a workspace's functions, triggers and runs, created if they are missing.
Result<void> make_function_tables(Database& database, DatabaseId workspace);

}  // namespace mayfly::centrali
