// The engine on SpiderMonkey; nothing but its parts includes its headers. No code of it is compiled
// to the machine's: what runs is interpreted, which is slower and leaves far less to attack.
#include "dialect/cosmos/scripts/engine.h"

#include <js/CompilationAndEvaluation.h>
#include <js/ErrorReport.h>
#include <js/Interrupt.h>
#include <js/MemoryCallbacks.h>
#include <js/Promise.h>
#include <js/SourceText.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/run_permit.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/scripts/engine_state.h"
#include "dialect/cosmos/scripts/watchdog.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

// What scripts that have ended leave behind, before it is collected: that of some dozens.
constexpr std::uint32_t rubbish_bytes_max = 8 << 20;

constexpr JSClass global_class = {"Script", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps};

Error took_too_long() {
  return {Code::timed_out, "The script took longer than it may (script_time_max)."};
}

}  // namespace

Error took_too_much() {
  return {Code::too_large, "The script holds more memory than it may (script_heap_bytes_max, " +
                               std::to_string(limits::script_heap_bytes_max) + " bytes)."};
}

// --- bounds ---

// What lies in the zones of this thread's engine: texts that are keys lie in another than the
// script's own. It counts the few megabytes of the engine itself.
std::size_t Script::State::bytes() {
  double sum = 0;
  for (const char* name : {"gcBytes", "mallocBytes"}) {
    JS::RootedValue count(cx);
    if (JS_GetProperty(cx, memory, name, &count) && count.isNumber()) sum += count.toNumber();
  }
  return static_cast<std::size_t>(sum);
}

bool Script::State::goes_on() {
  if (stopped) return false;
  if (monotonic_now() >= setting.stop_at) {
    stopped = took_too_long();
    return false;
  }
  if (const RunPermit* permit = current_run_permit(); permit && permit->is_cancelled()) {
    stopped = Error{Code::timed_out, "The client no longer waits for the response."};
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
    if (RunPermit* permit = current_run_permit()) {
      permit->note_peak(limits::script_heap_bytes_max);
    }
  } else if (JS_GetGCParameter(cx, JSGC_BYTES) > rubbish_bytes_max) {
    JS_GC(cx);
  }
}

Result<Instant> begin_scripts(Instant answer_by) {
  if (RunPermit* const permit = current_run_permit()) TRY(permit->become_long());
  return std::min(monotonic_now() + limits::script_time_max, answer_by);
}

Result<std::unique_ptr<Script>> Script::open(ScriptSetting setting) {
  JSContext* const cx = context_of_this_thread();
  if (cx == nullptr) return fail(Code::internal, "The engine for scripts does not start.");
  auto state = std::make_unique<State>(cx, std::move(setting));
  const Running running_it(*state);
  JS::RealmOptions options;
  options.creationOptions().setNewCompartmentAndZone().setSharedMemoryAndAtomicsEnabled(false);
  state->global = JS_NewGlobalObject(cx, &global_class, nullptr, JS::FireOnNewGlobalHook, options);
  if (!state->global) return tl::unexpected(state->take_error());
  const JSAutoRealm realm(cx, state->global);
  state->memory = js::gc::NewMemoryInfoObject(cx);
  if (!state->memory || !JS::InitRealmStandardClasses(cx) || !define_functions(*state)) {
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
