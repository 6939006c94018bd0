// Engine: runs JavaScript that clients have written and nobody trusts. What a script can reach is
// the language itself and the one function that it is given; there are no files, no network, no
// threads and no machine code made while it runs. Its time, its memory and its recursion have rows
// in limits.h; at the first two it is stopped, and no handler of its own runs any more. Memory is
// looked at every few milliseconds; what one operation takes at once (the text of a string) is
// bounded apart (allocations.h).
//
// The library behind it starts with the first script. Each thread that runs scripts has a context
// of its own from then on (some megabytes, until the thread ends).
//
// Source: spec cosmos.md, section 24.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// A script may hold a lot of memory, so that few requests at once run any: waits for its turn.
// Gives when the scripts of the request are stopped, on the scale of monotonic_now(): after
// script_time_max, and at `answer_by` at the latest. Fails with throttled and timed_out.
Result<Instant> begin_scripts(Instant answer_by);

// What a script asks of the program around it. An error stops the script, whatever the script would
// do about one, and is what the call fails with.
using HostCall = std::function<Result<Value>(std::string_view name, std::span<const Value>)>;

struct ScriptSetting {
  Instant stop_at;     // on the scale of monotonic_now()
  Instant now;         // what the script's clock shows
  HostCall host = {};  // the global function `host`; none: there is no such function
};

// The globals of one script. Threads: all members only by the one that opened it.
//
// Values cross as JSON has them; undefined is missing. What no JSON can say is null.
class Script {
 public:
  struct State;  // private to engine.cc

  static Result<std::unique_ptr<Script>> open(ScriptSetting setting);
  ~Script();

  // Evaluates an expression whose value is a function, and gives the function's number. `name`
  // stands in the traces of exceptions. Fails with invalid.
  Result<std::size_t> add_function(const std::string& name, std::string_view expression);
  // Calls it, then runs what has become ready behind promises. Fails with invalid where it throws,
  // timed_out and too_large at the bounds, and as the host fails.
  Result<Value> call(std::size_t function, std::span<const Value> arguments);
  // Fails with invalid where the last promise that a call gave was rejected.
  Result<void> check_promise();

 private:
  explicit Script(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mayfly::cosmos
