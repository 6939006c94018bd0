// What the files of the engine share: its state, and the conversion of values. Only they include
// it, because it includes SpiderMonkey's headers.
#pragma once

#include <js/Exception.h>
#include <jsapi.h>

#include <deque>
#include <optional>

#include "script/engine/engine.h"

namespace mayfly::script {

Error value_too_large();

// The globals of one script, and the objects that depend on them.
struct Globals {
  explicit Globals(JSContext* cx) : global(cx), make_driver(cx), driver(cx) {}
  bool are_unused = true;
  std::string prelude = {};
  JS::PersistentRootedObject global;
  JS::PersistentRootedValue make_driver;  // the value of the prelude; undefined: none
  JS::PersistentRootedValue driver;       // undefined: none
  std::deque<JS::PersistentRootedValue> functions;
  std::deque<JS::PersistentRootedObject> jobs;  // jobs of promises
};

struct Engine::State {
  JSContext* cx = nullptr;
  Ask ask;
  Instant now;  // the time of the script's clock
  std::optional<Globals> globals;
  std::optional<Error> refused;  // why the script has been stopped
  bool is_describing = false;    // describing an exception, which may throw another one
  std::size_t own_bytes = 0;     // of the engine itself

  // Memory of scripts and their garbage, without that of the engine itself.
  std::size_t bytes() const;
  void open_globals(std::string_view prelude);
  bool run_jobs();
  // Calls driver(step, argument).
  bool drive(const char* step, JS::HandleValue argument, JS::MutableHandleValue out);
  bool drive_to_end(JS::MutableHandleValue value);
  Error take_error();
  std::string describe(JS::HandleValue thrown);
};

// The only engine of this process.
inline Engine::State* engine = nullptr;

// Starts the library. Null if it fails.
JSContext* start_library();

// Converts a value for the script. False, with an exception pending, if that fails.
bool to_script(JSContext* cx, const EncodedValue& encoded, JS::MutableHandleValue out);
// Appends the value as JSON would represent it. Fails with too_large, and if its own code (toJSON)
// throws.
Result<void> from_script(JSContext* cx, JS::HandleValue value, Bytes& out);
// The JSON of an object. Fails likewise.
Result<std::string> json_of(JSContext* cx, JS::HandleValue object);
Result<std::string> utf8_of(JSContext* cx, JS::HandleString text);

// Creates the function by which the prelude calls the server. Null, with an exception pending, if
// that fails.
JSObject* new_ask_function(JSContext* cx);
// Replaces the functions that search texts by ones that are bounded by script_search_work_max.
bool bound_searching(Engine::State& state);

}  // namespace mayfly::script
