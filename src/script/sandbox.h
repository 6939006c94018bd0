// Sandbox: runs JavaScript of clients, which is not trusted, in a process of its own.
// What a script can reach is the language itself and what the prelude makes around it. Its time,
// its memory and its recursion have rows in limits.h; at the first two the process is killed, and
// no handler of the script's own runs any more.
//
// Values cross as JSON has them; undefined is missing. What no JSON can say is null.
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

// A script may hold a lot of memory, so that few requests at once run any: waits for its turn.
// Gives when the scripts of the request are stopped, on the scale of monotonic_now(): after
// script_time_max, and at `answer_by` at the latest. Fails with throttled and timed_out.
Result<Instant> begin_scripts(Instant answer_by);

// What a script asks of the program around it. An error stops the script, whatever the script would
// do about one, and is what the call fails with.
using HostCall = std::function<Result<Value>(std::string_view name, std::span<const Value>)>;

// What a script finds around it (Engine::begin).
struct Surroundings {
  Instant now;                    // what the script's clock shows
  std::string_view prelude = {};  // empty: nothing but the language
  Value context = {};             // for the prelude
  HostCall host = {};             // answers the prelude; lives until the next begin()
};

// Threads: one at a time, the one that answers the request.
class Sandbox {
 public:
  // From Pool::take.
  Sandbox(Pool& pool, Process process, Instant stop_at);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Forgets what ran before, and makes new globals.
  Result<void> begin(const Surroundings& surroundings);
  // Evaluates an expression whose value is a function, and gives the function's number. `name`
  // stands in the traces of exceptions. Fails with invalid.
  Result<std::size_t> define(std::string_view name, std::string_view expression);
  // Calls it and all that comes of it (Engine::begin). Fails with invalid where it throws,
  // timed_out and too_large at the bounds, and as the host fails.
  Result<Value> call(std::size_t function, std::span<const Value> arguments);

  // Whether more can be run; no more once a script was stopped.
  bool is_usable() const { return is_usable_; }
  pid_t process_id() const { return process_.id(); }

 private:
  Result<Value> answer_until_done();
  Result<void> answer(const Message& asked);
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
