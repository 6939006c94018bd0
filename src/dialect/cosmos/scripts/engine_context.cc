// The engine's contexts: one a thread, and the library they all live in.
#include "dialect/cosmos/scripts/engine_state.h"

#include <js/ContextOptions.h>
#include <js/Date.h>
#include <js/Initialization.h>
#include <js/Interrupt.h>
#include <js/MemoryCallbacks.h>
#include <js/Promise.h>
#include <js/Stack.h>

#include <mutex>

#include "dialect/cosmos/limits.h"

namespace mayfly::cosmos {
namespace {

constexpr std::uint32_t nursery_bytes_max = 1 << 20;
// With what a context holds before it has run anything.
constexpr std::size_t own_heap_bytes = 32 << 20;

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

}  // namespace

void ask_for_interrupt(void* context) {
  JS_RequestInterruptCallbackCanWait(static_cast<JSContext*>(context));
}

JSContext* context_of_this_thread() {
  return Context::of_this_thread();
}

}  // namespace mayfly::cosmos
