// Sandbox: runs JavaScript of clients, which is not trusted, in a separate process. A script can
// reach only the language itself and what the prelude defines. Bounds on its time, memory and
// recursion are in limits.h. At the bounds on time and memory the process is killed, so no handler
// of the script runs any more.
//
// Values are passed as JSON; undefined is missing. A value without a JSON form becomes null.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "script/process/process.h"
#include "value/value.h"

namespace mayfly::script {

class Pool;

// Called before a request runs scripts. A script may hold a lot of memory, so few requests run
// scripts at once: this blocks until it is the turn of this request. Returns the instant at which
// its scripts are stopped, on the scale of monotonic_now(): after script_time_max, and at
// `answer_by` at the latest. Fails with throttled and timed_out.
Result<Instant> begin_scripts(Instant answer_by);

// A call of a script to the server. An error stops the script, which cannot catch it, and the
// script's call fails with that error.
using HostCall = std::function<Result<Value>(std::string_view name, std::span<const Value>)>;

// The environment of a script (Engine::begin).
struct Surroundings {
  Instant now;                    // the time of the script's clock
  std::string_view prelude = {};  // empty: only the language
  Value context = {};             // argument of the prelude
  HostCall host = {};             // answers calls of the prelude; lives until the next begin()
};

// Threads: only the one that answers the request.
class Sandbox {
 public:
  // From Pool::take.
  Sandbox(Pool& pool, Process process, Instant stop_at);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Discards earlier scripts, and creates new globals. Fails with too_large. The process gets the
  // message with the next define() or call(), which reports other failures.
  Result<void> begin(const Surroundings& surroundings);
  // Evaluates an expression whose value is a function, and returns the function's number. `name` is
  // shown in the traces of exceptions. Fails with invalid.
  Result<std::size_t> define(std::string_view name, std::string_view expression);
  // Calls the function and runs all its continuations (Engine::begin). Fails with invalid if it
  // throws, with timed_out and too_large at the bounds, and as the host fails.
  Result<Value> call(std::size_t function, std::span<const Value> arguments);

  // Whether scripts can still be run; false once a script was stopped.
  bool is_usable() const { return is_usable_; }
  pid_t process_id() const { return process_.id(); }

 private:
  Result<Value> answer_until_done();
  Result<void> answer(const Message& message);
  Result<Value> value_in(const Message& done);
  Error stop(Error error);

  Pool& pool_;
  Process process_;
  const Instant stop_at_;
  const Instant taken_at_;
  HostCall host_;
  bool is_usable_ = true;
};

}  // namespace mayfly::script
