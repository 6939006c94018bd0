// The engine, by SpiderMonkey; only files of the engine include its headers. Scripts are
// interpreted and not compiled to machine code, which is slower and much harder to attack.
#include "script/engine/engine.h"

#include <js/CompilationAndEvaluation.h>
#include <js/Conversions.h>
#include <js/ErrorReport.h>
#include <js/GCAPI.h>
#include <js/Promise.h>
#include <js/SourceText.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "base/cut_text.h"
#include "script/engine/state.h"
#include "script/limits.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// g++ has no header that declares it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace mayfly::script {
namespace {

// Its operations create the parts of the language at their first use.
constexpr JSClass global_class = {"Script", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps};

std::size_t malloc_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return __sanitizer_get_current_allocated_bytes();
#else
  const struct mallinfo2 taken = mallinfo2();
  return taken.uordblks + taken.hblkhd;
#endif
}

// The expression in parentheses, without white space and semicolons at its end.
std::string in_parentheses(std::string_view expression) {
  const auto last = expression.find_last_not_of("; \t\r\n");
  std::string text = "(";
  text += expression.substr(0, last == std::string_view::npos ? 0 : last + 1);
  text += "\n)";
  return text;
}

bool evaluate(JSContext* cx, std::string_view name, std::string_view expression,
              JS::MutableHandleValue out) {
  const std::string text = in_parentheses(expression);
  const std::string file(name);
  JS::CompileOptions options(cx);
  options.setFileAndLine(file.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  return source.init(cx, text.data(), text.size(), JS::SourceOwnership::Borrowed) &&
         JS::Evaluate(cx, options, source, out);
}

bool is_function(const JS::Value& value) {
  return value.isObject() && JS::IsCallable(&value.toObject());
}

}  // namespace

std::size_t Engine::State::bytes() const {
  const std::size_t all = malloc_bytes() + JS_GetGCParameter(cx, JSGC_BYTES);
  return all - std::min(all, own_bytes);
}

// --- exceptions ---

// The text of an exception, such as "Error: that is too much"; any other thrown value as JSON.
std::string Engine::State::describe(JS::HandleValue thrown) {
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
  Result<std::string> text = std::string(unknown);
  if (thrown.isObject()) {
    text = json_of(cx, thrown);
  } else if (const JS::RootedString string(cx, JS::ToString(cx, thrown)); string) {
    text = utf8_of(cx, string);
  }
  is_describing = false;
  JS_ClearPendingException(cx);
  return text.value_or(unknown);
}

Error Engine::State::take_error() {
  JS::ExceptionStack exception(cx);
  const bool is_thrown =
      JS_IsExceptionPending(cx) && JS::StealPendingExceptionStack(cx, &exception);
  JS_ClearPendingException(cx);
  if (refused) return *refused;
  if (!is_thrown) return {Code::invalid, "The script failed."};
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
  message += truncate_utf8(what, limits::script_error_bytes_max);
  message += "\r\nStack trace: ";
  message += truncate_utf8(trace, limits::script_error_bytes_max);
  return {Code::invalid, std::move(message)};
}

// --- the script ---

Engine::Engine(Ask ask) : state_(std::make_unique<State>()) {
  state_->cx = start_library();
  if (state_->cx == nullptr) _exit(exit_not_started);
  state_->ask = std::move(ask);
  state_->own_bytes = state_->bytes();
  engine = state_.get();
}

Engine::~Engine() = default;

void Engine::State::open_globals(std::string_view prelude) {
  globals.emplace(cx);
  JS::RealmOptions options;
  options.creationOptions().setNewCompartmentAndZone().setSharedMemoryAndAtomicsEnabled(false);
  globals->global =
      JS_NewGlobalObject(cx, &global_class, nullptr, JS::FireOnNewGlobalHook, options);
  CHECK(globals->global);
  const JSAutoRealm realm(cx, globals->global);
  CHECK(bound_searching(*this));
  globals->prelude = prelude;
  CHECK(prelude.empty() || evaluate(cx, "prelude", prelude, &globals->make_driver));
}

void Engine::begin(Instant now, std::string_view prelude, const EncodedValue& context) {
  State& state = *state_;
  state.now = now;
  state.refused.reset();
  const bool are_ready =
      state.globals && state.globals->are_unused && state.globals->prelude == prelude;
  if (!are_ready) state.open_globals(prelude);
  Globals& globals = *state.globals;
  globals.are_unused = false;
  if (prelude.empty()) return;
  const JSAutoRealm realm(state.cx, globals.global);
  JS::RootedValueArray<2> arguments(state.cx);
  JSObject* const ask = new_ask_function(state.cx);
  CHECK(ask != nullptr);
  arguments[0].setObject(*ask);
  CHECK(to_script(state.cx, context, arguments[1]));
  CHECK(JS::Call(state.cx, JS::UndefinedHandleValue, globals.make_driver, arguments,
                 &globals.driver) &&
        is_function(globals.driver.get()));
}

Result<std::size_t> Engine::define(std::string_view name, std::string_view expression) {
  State& state = *state_;
  const JSAutoRealm realm(state.cx, state.globals->global);
  JS::RootedValue function(state.cx);
  if (!evaluate(state.cx, name, expression, &function)) return tl::unexpected(state.take_error());
  if (!is_function(function.get())) {
    std::string message = "The body of the script '";
    message += name;
    return fail(Code::invalid, message + "' is not a function.");
  }
  auto& functions = state.globals->functions;
  functions.emplace_back(state.cx, function);
  return functions.size() - 1;
}

bool Engine::State::run_jobs() {
  auto& jobs = globals->jobs;
  while (!jobs.empty() && !refused) {
    const JS::RootedValue job(cx, JS::ObjectValue(*jobs.front()));
    jobs.pop_front();
    JS::RootedValue ignored(cx);
    if (!JS::Call(cx, JS::UndefinedHandleValue, job, JS::HandleValueArray::empty(), &ignored)) {
      return false;
    }
  }
  return !refused;
}

bool Engine::State::drive(const char* step, JS::HandleValue argument, JS::MutableHandleValue out) {
  JSString* const name = JS_NewStringCopyZ(cx, step);
  if (name == nullptr) return false;
  JS::RootedValueArray<2> values(cx);
  values[0].setString(name);
  values[1].set(argument);
  return JS::Call(cx, JS::UndefinedHandleValue, globals->driver, values, out) && !refused;
}

bool Engine::State::drive_to_end(JS::MutableHandleValue value) {
  JS::RootedValue has_next(cx, JS::TrueValue());
  const bool has_driver = !globals->driver.isUndefined();
  while (has_driver && has_next.isTrue()) {
    if (!drive("next", JS::UndefinedHandleValue, &has_next) || !run_jobs()) return false;
  }
  if (value.isObject()) {
    const JS::RootedObject promise(cx, &value.toObject());
    if (JS::IsPromiseObject(promise)) {
      value.set(JS::GetPromiseState(promise) == JS::PromiseState::Rejected
                    ? JS::GetPromiseResult(promise)
                    : JS::UndefinedValue());
      if (JS::GetPromiseState(promise) == JS::PromiseState::Rejected) {
        JS_SetPendingException(cx, value);
        return false;
      }
    }
  }
  return !has_driver || drive("result", value, value);
}

Result<Bytes> Engine::call(std::size_t function, const std::vector<EncodedValue>& arguments) {
  State& state = *state_;
  CHECK(function < state.globals->functions.size());
  const JSAutoRealm realm(state.cx, state.globals->global);
  JS::RootedValueVector js_arguments(state.cx);
  JS::RootedValue value(state.cx);
  for (const EncodedValue& argument : arguments) {
    if (!to_script(state.cx, argument, &value) || !js_arguments.append(value)) {
      return tl::unexpected(state.take_error());
    }
  }
  const JS::HandleValue called = state.globals->functions[function];
  if (!JS::Call(state.cx, JS::UndefinedHandleValue, called, js_arguments, &value) ||
      !state.run_jobs() || !state.drive_to_end(&value)) {
    return tl::unexpected(state.take_error());
  }
  Bytes encoded;
  TRY(from_script(state.cx, value, encoded));
  return encoded;
}

void Engine::end() {
  const std::string prelude = state_->globals ? state_->globals->prelude : std::string();
  state_->globals.reset();
  if (state_->bytes() > limits::script_garbage_bytes_max) {
    JS::PrepareForFullGC(state_->cx);
    JS::NonIncrementalGC(state_->cx, JS::GCOptions::Shrink, JS::GCReason::API);
  }
  state_->open_globals(prelude);
}

}  // namespace mayfly::script
