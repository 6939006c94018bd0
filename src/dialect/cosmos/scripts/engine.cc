// The engine on SpiderMonkey; nothing else includes its headers. No code of it is compiled to the
// machine's: what runs is interpreted, which is slower and leaves far less to attack.
#include "dialect/cosmos/scripts/engine.h"

#include <js/CompilationAndEvaluation.h>
#include <js/ContextOptions.h>
#include <js/Date.h>
#include <js/ErrorReport.h>
#include <js/Exception.h>
#include <js/Initialization.h>
#include <js/Interrupt.h>
#include <js/JSON.h>
#include <js/MemoryCallbacks.h>
#include <js/Promise.h>
#include <js/SourceText.h>
#include <js/Stack.h>
#include <jsapi.h>

#include <cmath>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "base/check.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/scripts/allocations.h"
#include "dialect/cosmos/scripts/watchdog.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

constexpr double whole_number_max = 9'007'199'254'740'991;  // 2^53 - 1
constexpr std::uint32_t nursery_bytes_max = 1 << 20;
// What scripts that have ended leave behind, before it is collected: that of some dozens.
constexpr std::uint32_t rubbish_bytes_max = 8 << 20;
// With what a context holds before it has run anything.
constexpr std::size_t own_heap_bytes = 32 << 20;

constexpr JSClass global_class = {"Script", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps};

Error took_too_long() {
  return {Code::timed_out, "The script took longer than it may (script_time_max)."};
}
Error took_too_much() {
  return {Code::too_large, "The script holds more memory than it may (script_heap_bytes_max, " +
                               std::to_string(limits::script_heap_bytes_max) + " bytes)."};
}

void ask_for_look(void* context) {
  JS_RequestInterruptCallbackCanWait(static_cast<JSContext*>(context));
}

}  // namespace

// Rooted values must not outlive their context: a Script ends before its thread does.
struct Script::State {
  State(JSContext* context, ScriptSetting given)
      : cx(context),
        setting(std::move(given)),
        global(context),
        memory(context),
        parse(context),
        promise(context),
        allocations{.ask_for_look = ask_for_look, .asked = context} {}

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

namespace {

// Which script the thread is running; null while it runs none.
thread_local Script::State* running = nullptr;

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

bool when_interrupted(JSContext*) {
  return running == nullptr || running->goes_on();
}

void when_out_of_memory(JSContext*, void*) {
  if (running != nullptr && !running->stopped) running->stopped = took_too_much();
}

// Scripts see the now of their request: time stands still while they run.
double time_shown(double, JSContext*) {
  return running == nullptr ? 0 : static_cast<double>(running->setting.now.micros);
}

// Promises' jobs go to the script that is running. Called by the library.
class Jobs final : public JS::JobQueue {
 public:
  JSObject* getIncumbentGlobal(JSContext* cx) override { return JS::CurrentGlobalOrNull(cx); }
  bool enqueuePromiseJob(JSContext* cx, JS::HandleObject, JS::HandleObject job, JS::HandleObject,
                         JS::HandleObject) override {
    if (running != nullptr) running->jobs.emplace_back(cx, job);
    return true;
  }
  void runJobs(JSContext*) override {}
  bool empty() const override { return running == nullptr || running->jobs.empty(); }

 private:
  // For debuggers, of which there is none.
  class Nothing final : public SavedJobQueue {};
  js::UniquePtr<SavedJobQueue> saveJobQueue(JSContext*) override {
    return js::MakeUnique<Nothing>();
  }
};

// Ends with the process, after the threads whose contexts it serves: its own threads must not
// outlive what they wait on.
struct Library {
  Library() {
    JS::DisableJitBackend();
    is_started = count_allocations() && JS_Init();
    if (is_started) JS::SetReduceMicrosecondTimePrecisionCallback(time_shown);
  }
  ~Library() {
    if (is_started) JS_ShutDown();
  }
  bool is_started = false;
};

// One a thread, from its first script until it ends.
class Context {
 public:
  // Null where there is no memory for one.
  static JSContext* of_this_thread() {
    thread_local Context own;
    return own.cx_;
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  Context() {
    static std::mutex starting;  // one context after the other: the library asks for it
    const std::lock_guard lock(starting);
    static const Library library;
    if (!library.is_started) return;
    cx_ = JS_NewContext(limits::script_heap_bytes_max + own_heap_bytes);
    if (cx_ == nullptr) return;
    JS_SetNativeStackQuota(cx_, limits::script_stack_bytes_max);
    JS_SetGCParameter(cx_, JSGC_MAX_NURSERY_BYTES, nursery_bytes_max);
    JS::ContextOptionsRef(cx_).setAsmJS(false).setWasm(false);
    JS_AddInterruptCallback(cx_, when_interrupted);
    JS::SetOutOfMemoryCallback(cx_, when_out_of_memory, nullptr);
    JS::SetJobQueue(cx_, &jobs_);
    js::SetStackFormat(cx_, js::StackFormat::V8);
    if (JS::InitSelfHostedCode(cx_)) return;
    JS_DestroyContext(cx_);
    cx_ = nullptr;
  }
  ~Context() {
    if (cx_ != nullptr) JS_DestroyContext(cx_);
  }

  JSContext* cx_ = nullptr;
  Jobs jobs_;
};

// --- values ---

bool to_script(JSContext* cx, const Value& value, JS::MutableHandleValue out) {
  switch (value.kind()) {
    case Kind::missing: out.setUndefined(); return true;
    case Kind::null: out.setNull(); return true;
    case Kind::boolean: out.setBoolean(value.boolean()); return true;
    case Kind::integer: out.setNumber(static_cast<double>(value.integer())); return true;
    case Kind::real: out.setNumber(value.real()); return true;
    default: break;
  }
  const bool is_text = value.is(Kind::text);
  const std::string utf8 = is_text ? value.text() : render_json(value);
  const JS::UTF8Chars chars(utf8.data(), utf8.size());
  const JS::RootedString text(cx, JS_NewStringCopyUTF8N(cx, chars));
  if (!text) return false;
  if (!is_text) return JS_ParseJSON(cx, text, out);
  out.setString(text);
  return true;
}

Error crosses_too_much() {
  return {Code::too_large, "A value that a script gives is larger than script_value_bytes_max (" +
                               std::to_string(limits::script_value_bytes_max) + " bytes)."};
}

Result<std::string> utf8_of(JSContext* cx, JS::HandleString text) {
  if (JS_GetStringLength(text) > limits::script_value_bytes_max) {
    return tl::unexpected(crosses_too_much());
  }
  const JS::UniqueChars chars = JS_EncodeStringToUTF8(cx, text);
  if (!chars) return tl::unexpected(running->take_error());
  return std::string(chars.get());
}

bool append_json(const char16_t* chars, std::uint32_t size, void* out) {
  auto& text = *static_cast<std::u16string*>(out);
  if (text.size() + size > limits::script_value_bytes_max) return false;
  text.append(chars, size);
  return true;
}

Result<Value> from_object(JSContext* cx, JS::HandleValue value) {
  JS::RootedValue object(cx, value);
  std::u16string json;
  if (!JS_Stringify(cx, &object, nullptr, JS::NullHandleValue, append_json, &json)) {
    if (JS_IsExceptionPending(cx) || running->stopped) {
      return tl::unexpected(running->take_error());
    }
    return tl::unexpected(crosses_too_much());
  }
  const JS::RootedString text(cx, JS_NewUCStringCopyN(cx, json.data(), json.size()));
  if (!text) return tl::unexpected(running->take_error());
  return parse_json(TRY(utf8_of(cx, text)));
}

Result<Value> from_script(JSContext* cx, JS::HandleValue value) {
  if (value.isUndefined()) return Value();
  if (value.isNull()) return Value(nullptr);
  if (value.isBoolean()) return Value(value.toBoolean());
  if (value.isString()) {
    const JS::RootedString text(cx, value.toString());
    return Value(TRY(utf8_of(cx, text)));
  }
  if (!value.isNumber()) return from_object(cx, value);
  const double number = value.toNumber();
  if (!std::isfinite(number)) return Value(nullptr);
  const bool is_whole = std::trunc(number) == number && std::abs(number) <= whole_number_max;
  return is_whole ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

// The script's `host`.
bool call_host(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs given = JS::CallArgsFromVp(count, vp);
  Script::State& state = *running;
  if (!state.goes_on()) return false;
  const auto ask = [&]() -> Result<Value> {
    std::vector<Value> values;
    for (unsigned i = 0; i < given.length(); ++i) {
      values.push_back(TRY(from_script(cx, given[i])));
    }
    if (values.empty() || !values.front().is(Kind::text)) {
      return fail(Code::invalid, "a host function is called by its name");
    }
    return state.setting.host(values.front().text(), std::span(values).subspan(1));
  };
  auto answer = ask();
  if (answer) return to_script(cx, *answer, given.rval());
  if (!state.stopped) state.stopped = std::move(answer).error();
  JS_ClearPendingException(cx);
  return false;
}

// In the place of JSON.parse, which makes many small pieces of memory of a text, and does not look
// at its bounds until it is done.
bool parse_bounded(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs given = JS::CallArgsFromVp(count, vp);
  const JS::RootedString text(cx, JS::ToString(cx, given.get(0)));
  if (!text) return false;
  if (JS_GetStringLength(text) > limits::script_value_bytes_max) {
    running->stopped = took_too_much();
    return false;
  }
  JS::RootedValueArray<2> values(cx);
  values[0].setString(text);
  values[1].set(given.get(1));
  return JS::Call(cx, JS::UndefinedHandleValue, running->parse, values, given.rval());
}

bool bound_parsing(Script::State& state) {
  JS::RootedValue json(state.cx);
  if (!JS_GetProperty(state.cx, state.global, "JSON", &json) || !json.isObject()) return false;
  const JS::RootedObject object(state.cx, &json.toObject());
  return JS_GetProperty(state.cx, object, "parse", &state.parse) &&
         JS_DefineFunction(state.cx, object, "parse", parse_bounded, 2, 0) != nullptr;
}

}  // namespace

// --- bounds ---

// What lies in the zone of the script's own.
std::size_t Script::State::bytes() {
  JS::RootedValue zone(cx);
  if (!JS_GetProperty(cx, memory, "zone", &zone) || !zone.isObject()) return 0;
  const JS::RootedObject counts(cx, &zone.toObject());
  double sum = 0;
  for (const char* name : {"gcBytes", "mallocBytes"}) {
    JS::RootedValue count(cx);
    if (JS_GetProperty(cx, counts, name, &count) && count.isNumber()) sum += count.toNumber();
  }
  return static_cast<std::size_t>(sum);
}

bool Script::State::goes_on() {
  if (stopped) return false;
  if (monotonic_now() >= setting.stop_at) {
    stopped = took_too_long();
    return false;
  }
  if (is_looking) return true;
  uncollected += std::exchange(allocations.bytes, 0);
  // What is young hangs on no zone: it is seen by having been allocated.
  const bool may_be_too_much =
      uncollected > limits::script_uncollected_bytes_max || bytes() > limits::script_heap_bytes_max;
  if (!may_be_too_much) return true;
  collect();
  if (bytes() > limits::script_heap_bytes_max) stopped = took_too_much();
  return !stopped;
}

void Script::State::collect() {
  Allocations* const counted = count_in(nullptr);
  is_looking = true;
  JS_GC(cx);
  is_looking = false;
  count_in(counted);
  uncollected = 0;
}

bool Script::State::run_jobs() {
  while (!jobs.empty()) {
    if (stopped) return false;
    const JS::RootedValue job(cx, JS::ObjectValue(*jobs.front()));
    jobs.pop_front();
    JS::RootedValue ignored(cx);
    if (!JS::Call(cx, JS::UndefinedHandleValue, job, JS::HandleValueArray::empty(), &ignored)) {
      return false;
    }
  }
  return !stopped;
}

// --- exceptions ---

// "Error: that is too much", or what else was thrown as JSON.
std::string Script::State::describe(JS::HandleValue thrown) {
  const JS::ExceptionStack with_no_stack(cx, thrown, nullptr);
  if (thrown.isObject()) {
    const JS::RootedObject object(cx, &thrown.toObject());
    JS::ErrorReportBuilder report(cx);
    if (JS_ErrorFromException(cx, object) != nullptr &&
        report.init(cx, with_no_stack, JS::ErrorReportBuilder::NoSideEffects)) {
      return report.toStringResult().c_str();
    }
  }
  constexpr const char* unknown = "an exception that cannot be shown";
  if (std::exchange(is_describing, true)) return unknown;
  const auto value = from_script(cx, thrown);
  is_describing = false;
  JS_ClearPendingException(cx);
  if (!value) return unknown;
  return value->is(Kind::text) ? value->text() : render_json(*value);
}

Error Script::State::take_error() {
  JS::ExceptionStack exception(cx);
  const bool is_thrown =
      JS_IsExceptionPending(cx) && JS::StealPendingExceptionStack(cx, &exception);
  JS_ClearPendingException(cx);
  if (stopped) return *stopped;
  if (!is_thrown) return took_too_long();
  const std::string what = describe(exception.exception());
  JS::RootedObject stack(cx, exception.stack());
  if (exception.exception().isObject()) {
    const JS::RootedObject object(cx, &exception.exception().toObject());
    if (JSObject* own = JS::ExceptionStackOrNull(object)) stack = own;
  }
  std::string trace;
  JS::RootedString text(cx);
  if (stack && JS::BuildStackString(cx, nullptr, stack, &text)) {
    trace = utf8_of(cx, text).value_or("");
  }
  JS_ClearPendingException(cx);
  std::string message = "Encountered exception while executing Javascript. Exception = ";
  message += std::string_view(what).substr(0, limits::script_error_bytes_max);
  message += "\r\nStack trace: ";
  message += std::string_view(trace).substr(0, limits::script_error_bytes_max);
  return {Code::invalid, std::move(message)};
}

// --- the script ---

Script::Script(std::unique_ptr<State> state) : state_(std::move(state)) {}

Script::~Script() {
  Watchdog::get().forget(state_->cx);
  JSContext* const cx = state_->cx;
  const bool was_stopped = state_->stopped.has_value();
  state_.reset();
  if (was_stopped) {  // what it held goes back to the system
    JS::PrepareForFullGC(cx);
    JS::NonIncrementalGC(cx, JS::GCOptions::Shrink, JS::GCReason::API);
  } else if (JS_GetGCParameter(cx, JSGC_BYTES) > rubbish_bytes_max) {
    JS_GC(cx);
  }
}

Result<std::unique_ptr<Script>> Script::open(ScriptSetting setting) {
  JSContext* const cx = Context::of_this_thread();
  if (cx == nullptr) return fail(Code::internal, "The engine for scripts does not start.");
  auto state = std::make_unique<State>(cx, std::move(setting));
  const Running running_it(*state);
  JS::RealmOptions options;
  options.creationOptions().setNewCompartmentAndZone().setSharedMemoryAndAtomicsEnabled(false);
  state->global = JS_NewGlobalObject(cx, &global_class, nullptr, JS::FireOnNewGlobalHook, options);
  if (!state->global) return tl::unexpected(state->take_error());
  const JSAutoRealm realm(cx, state->global);
  const bool has_host = static_cast<bool>(state->setting.host);
  state->memory = js::gc::NewMemoryInfoObject(cx);
  if (!state->memory || !JS::InitRealmStandardClasses(cx) || !bound_parsing(*state) ||
      (has_host && !JS_DefineFunction(cx, state->global, "host", call_host, 0, 0))) {
    return tl::unexpected(state->take_error());
  }
  Watchdog::get().watch(
      cx, [](void* context) { JS_RequestInterruptCallback(static_cast<JSContext*>(context)); });
  return std::unique_ptr<Script>(new Script(std::move(state)));
}

Result<std::size_t> Script::add_function(const std::string& name, std::string_view expression) {
  State& state = *state_;
  const Running running_it(state);
  const JSAutoRealm realm(state.cx, state.global);
  const auto last = expression.find_last_not_of("; \t\r\n");
  std::string text = "(";
  text += expression.substr(0, last == std::string_view::npos ? 0 : last + 1);
  text += "\n)";
  JS::CompileOptions options(state.cx);
  options.setFileAndLine(name.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  JS::RootedValue function(state.cx);
  if (!source.init(state.cx, text.data(), text.size(), JS::SourceOwnership::Borrowed) ||
      !JS::Evaluate(state.cx, options, source, &function)) {
    return tl::unexpected(state.take_error());
  }
  if (!function.isObject() || !JS::IsCallable(&function.toObject())) {
    return fail(Code::invalid, "The body of the script '" + name + "' is not a function.");
  }
  state.functions.emplace_back(state.cx, function);
  return state.functions.size() - 1;
}

Result<Value> Script::call(std::size_t function, std::span<const Value> arguments) {
  State& state = *state_;
  CHECK(function < state.functions.size());
  if (state.stopped) return tl::unexpected(*state.stopped);
  const Running running_it(state);
  const JSAutoRealm realm(state.cx, state.global);
  JS::RootedValueVector given(state.cx);
  JS::RootedValue value(state.cx);
  for (const Value& argument : arguments) {
    if (!to_script(state.cx, argument, &value) || !given.append(value)) {
      return tl::unexpected(state.take_error());
    }
  }
  if (!JS::Call(state.cx, JS::UndefinedHandleValue, state.functions[function], given, &value) ||
      !state.run_jobs()) {
    return tl::unexpected(state.take_error());
  }
  if (!value.isObject()) return from_script(state.cx, value);
  const JS::RootedObject object(state.cx, &value.toObject());
  if (!JS::IsPromiseObject(object)) return from_script(state.cx, value);
  state.promise = object;
  return Value();
}

Result<void> Script::check_promise() {
  State& state = *state_;
  if (!state.promise) return {};
  const Running running_it(state);
  const JSAutoRealm realm(state.cx, state.global);
  if (JS::GetPromiseState(state.promise) != JS::PromiseState::Rejected) return {};
  const JS::RootedValue reason(state.cx, JS::GetPromiseResult(state.promise));
  JS_SetPendingException(state.cx, reason);
  return tl::unexpected(state.take_error());
}

}  // namespace mayfly::cosmos
