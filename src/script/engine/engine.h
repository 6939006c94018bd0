// Engine: runs JavaScript of clients, which is not trusted. What a script can reach is the
// language itself and what the prelude makes around it; there are no files, no network, no threads
// and no machine code made while it runs. Only processes that run scripts have one
// (process/child.h): where there is no memory for what a script does, the engine ends its process.
//
// One engine, and one thread, in a process.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "script/process/message.h"

namespace mayfly::script {

// What the process says by its end.
inline constexpr int exit_out_of_memory = 3;
inline constexpr int exit_not_started = 4;
inline constexpr int exit_broken = 5;  // a message that is none

class Engine {
 public:
  struct State;  // private to the engine's files

  // Sends the content of an `ask`, and gives that of its `answer`. Fails with too_large.
  using Ask = std::function<Result<Bytes>(const Bytes& content)>;

  explicit Engine(Ask ask);
  ~Engine();

  // Forgets everything, and makes new globals. `prelude` is an expression whose value is a
  // function; it is called with the function that asks the server and with `context`, before
  // anything of the script, and gives the driver: a function of a step's name. After each call of
  // the script and what came of its promises, driver('next') is called for as long as it gives
  // true; then driver('result', …) with what the call gave, and what that gives is what the call
  // gives. An empty prelude: there is nothing around the script, and no driver.
  void begin(Instant now, std::string_view prelude, const Passed& context);
  // Evaluates an expression whose value is a function, and gives the function's number. `name`
  // stands in the traces of exceptions. Fails with invalid.
  Result<std::size_t> define(std::string_view name, std::string_view expression);
  // Calls it, then runs what has become ready behind promises; gives the value as it is passed.
  // Fails with invalid where it throws or the promise that it gave is rejected, and with too_large.
  Result<Bytes> call(std::size_t function, const std::vector<Passed>& arguments);
  // The globals are not needed any more. What they leave behind is collected where it is much, and
  // new ones with the same prelude are made ready.
  void end();

 private:
  std::unique_ptr<State> state_;
};

}  // namespace mayfly::script
