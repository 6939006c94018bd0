// What the parts of the engine share: its state, and values that cross into a script and out of it.
// Only files of the engine include it, for it brings SpiderMonkey's headers.
#pragma once

#include <js/Exception.h>
#include <jsapi.h>

#include <deque>
#include <optional>

#include "script/engine/engine.h"

namespace mayfly::script {

Error passes_too_much();

// The globals of one script, and what hangs on them.
struct Globals {
  explicit Globals(JSContext* cx) : global(cx), make_driver(cx), driver(cx) {}
  bool are_new = true;
  std::string prelude = {};
  JS::PersistentRootedObject global;
  JS::PersistentRootedValue make_driver;  // what the prelude is; undefined: there is none
  JS::PersistentRootedValue driver;       // undefined: none
  std::deque<JS::PersistentRootedValue> functions;
  std::deque<JS::PersistentRootedObject> jobs;  // what promises wait for
};

struct Engine::State {
  JSContext* cx = nullptr;
  Ask ask;
  Instant now;  // what the script's clock shows
  std::optional<Globals> globals;
  std::optional<Error> refused;  // why nothing of the script runs any more
  bool is_describing = false;    // an exception, which may throw another one
  std::size_t own_bytes = 0;     // of the engine

  // What scripts hold or have left behind; without what the engine itself takes.
  std::size_t bytes() const;
  void open_globals(std::string_view prelude);
  bool run_jobs();
  // Calls driver(step, given).
  bool drive(const char* step, JS::HandleValue given, JS::MutableHandleValue out);
  bool drive_to_end(JS::MutableHandleValue value);
  Error take_error();
  std::string describe(JS::HandleValue thrown);
};

// The only one of this process.
inline Engine::State* engine = nullptr;

// Starts the library. Null where it does not start.
JSContext* start_library();

// False, with the exception pending, where it cannot be.
bool to_script(JSContext* cx, const Passed& passed, JS::MutableHandleValue out);
// Appends what JSON would keep of it. Fails with too_large, and as its own code (toJSON) throws.
Result<void> from_script(JSContext* cx, JS::HandleValue value, Bytes& out);
// Likewise, of an object.
Result<std::string> json_of(JSContext* cx, JS::HandleValue object);
Result<std::string> utf8_of(JSContext* cx, JS::HandleString text);

// The function of the prelude that asks the server. Null, with the exception pending, where there
// cannot be one.
JSObject* new_ask(JSContext* cx);
// Replaces searches of texts by such that keep to script_search_work_max.
bool bound_searching(Engine::State& state);

}  // namespace mayfly::script
