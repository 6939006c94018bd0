// Engine: runs JavaScript of clients, which is not trusted. A script can reach only the language
// itself and what the prelude defines. There are no files, no network, no threads and no machine
// code compiled at run time. Only processes that run scripts have an engine (process/child.h): if a
// script needs more memory than allowed, the engine ends its process.
//
// A process has one engine and one thread.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "script/process/message.h"

namespace mayfly::script {

// The exit codes of the process.
inline constexpr int exit_out_of_memory = 3;
inline constexpr int exit_not_started = 4;
inline constexpr int exit_broken = 5;  // an invalid message

class Engine {
 public:
  struct State;  // private to the engine's files

  // Sends the content of an `ask`, and returns that of its `answer`. Fails with too_large.
  using Ask = std::function<Result<Bytes>(const Bytes& content)>;

  explicit Engine(Ask ask);
  ~Engine();

  // Discards everything, and creates new globals. `prelude` is an expression whose value is a
  // function. Before any script runs, this function is called with the function that calls the
  // server and with `context`. It returns the driver: a function of a step's name. After each call
  // of the script and its promises, driver('next') is called as long as it returns true. Then
  // driver('result', …) is called with the result of the call, and its value is the result of the
  // whole call. With an empty prelude, there is only the language and no driver.
  void begin(Instant now, std::string_view prelude, const EncodedValue& context);
  // Evaluates an expression whose value is a function, and returns the function's number. `name` is
  // shown in the traces of exceptions. Fails with invalid.
  Result<std::size_t> define(std::string_view name, std::string_view expression);
  // Calls the function, then runs the jobs of its promises, and returns the encoded result. Fails
  // with invalid if it throws or its promise is rejected, and with too_large.
  Result<Bytes> call(std::size_t function, const std::vector<EncodedValue>& arguments);
  // The globals are no longer needed. Collects garbage if there is much, and prepares new globals
  // with the same prelude.
  void end();

 private:
  std::unique_ptr<State> state_;
};

}  // namespace mayfly::script
