// What the parts of the engine share: the state of one script, and values that cross into it and
// out of it. Only files of the engine include it, for it brings SpiderMonkey's headers.
#pragma once

#include <js/Exception.h>
#include <jsapi.h>

#include <deque>
#include <optional>

#include "dialect/cosmos/scripts/allocations.h"
#include "dialect/cosmos/scripts/engine.h"

namespace mayfly::cosmos {

// Has the script look at its bounds at its next step. `context`: a JSContext.
void ask_for_interrupt(void* context);
Error took_too_much();

// Rooted values must not outlive their context: a Script ends before its thread does.
struct Script::State {
  State(JSContext* context, ScriptSetting given)
      : cx(context),
        setting(std::move(given)),
        global(context),
        memory(context),
        parse(context),
        promise(context),
        allocations{.ask_for_look = ask_for_interrupt, .asked = context} {}

  JSContext* cx;
  ScriptSetting setting;
  JS::PersistentRootedObject global;
  JS::PersistentRootedObject memory;   // tells what the script holds; the script cannot reach it
  JS::PersistentRootedValue parse;     // the library's JSON.parse
  JS::PersistentRootedObject promise;  // the last that a call gave; null: none
  std::deque<JS::PersistentRootedValue> functions;
  std::deque<JS::PersistentRootedObject> jobs;  // what promises wait for
  std::optional<Error> stopped;                 // why nothing of it runs any more
  bool is_looking = false;                      // at its bounds
  bool is_describing = false;                   // an exception, which may throw another one
  Allocations allocations;
  std::size_t uncollected = 0;  // bytes allocated since garbage was last collected

  bool goes_on();
  void collect();
  std::size_t bytes();
  bool run_jobs();
  Error take_error();
  std::string describe(JS::HandleValue thrown);
};

// Which script the thread is running; null while it runs none.
inline thread_local Script::State* running = nullptr;

class Running {
 public:
  explicit Running(Script::State& state)
      : before_(std::exchange(running, &state)), counted_before_(count_in(&state.allocations)) {}
  ~Running() {
    running = before_;
    count_in(counted_before_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Script::State* before_;
  Allocations* counted_before_;
};

// The engine's context of this thread, from its first script until it ends. Null where there is no
// memory for one.
JSContext* context_of_this_thread();

// False, with the exception pending, where there is no memory for it.
bool to_script(JSContext* cx, const Value& value, JS::MutableHandleValue out);
// What JSON would keep of it. Fails with too_large, and as its own code (toJSON) throws.
Result<Value> from_script(JSContext* cx, JS::HandleValue value);
Result<std::string> utf8_of(JSContext* cx, JS::HandleString text);

// Gives the script its `host`, where it has one, and a JSON.parse that keeps to the bounds.
bool define_functions(Script::State& state);

}  // namespace mayfly::cosmos
