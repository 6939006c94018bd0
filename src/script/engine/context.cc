// The engine's library: started once, with one context and no thread of its own.
#include "script/engine/state.h"

#include <js/ContextOptions.h>
#include <js/Date.h>
#include <js/HelperThreadAPI.h>
#include <js/Initialization.h>
#include <js/MemoryCallbacks.h>
#include <js/Promise.h>
#include <js/Stack.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

#include "script/limits.h"

namespace mayfly::script {
namespace {

constexpr std::uint32_t nursery_bytes_max = 1 << 20;
// Of what hangs on objects, before garbage is collected; in megabytes.
constexpr std::uint32_t malloc_megabytes_between_collections = 16;

[[noreturn]] void end_without_memory() {
  _exit(exit_out_of_memory);
}

// Garbage has been collected: what is left, the script holds.
void look_at_memory(JSContext*, JSGCStatus status, JS::GCReason, void*) {
  if (status == JSGC_END && engine != nullptr && engine->bytes() > limits::script_heap_bytes_max) {
    end_without_memory();
  }
}

// Scripts see the now of their request: time stands still while they run.
double time_shown(double, JSContext*) {
  return engine == nullptr ? 0 : static_cast<double>(engine->now.micros);
}

// Promises' jobs go to the globals that are there. Called by the library.
class Jobs final : public JS::JobQueue {
 public:
  JSObject* getIncumbentGlobal(JSContext* cx) override { return JS::CurrentGlobalOrNull(cx); }
  bool enqueuePromiseJob(JSContext* cx, JS::HandleObject, JS::HandleObject job, JS::HandleObject,
                         JS::HandleObject) override {
    engine->globals->jobs.emplace_back(cx, job);
    return true;
  }
  void runJobs(JSContext*) override {}
  bool empty() const override { return engine->globals->jobs.empty(); }

 private:
  // For debuggers, of which there is none.
  class Nothing final : public SavedJobQueue {};
  js::UniquePtr<SavedJobQueue> saveJobQueue(JSContext*) override {
    return js::MakeUnique<Nothing>();
  }
};

// The library's tasks for other threads wait until it needs what they do, and are then done by the
// one that there is.
void leave_task(JS::DispatchReason) {}

void bound(JSContext* cx) {
  JS_SetNativeStackQuota(cx, limits::script_stack_bytes_max);
  JS_SetGCParameter(cx, JSGC_MAX_NURSERY_BYTES, nursery_bytes_max);
  JS_SetGCParameter(cx, JSGC_MALLOC_THRESHOLD_BASE, malloc_megabytes_between_collections);
  JS::ContextOptionsRef(cx).setAsmJS(false).setWasm(false);
  JS_SetGCCallback(cx, look_at_memory, nullptr);
  JS::SetOutOfMemoryCallback(cx, [](JSContext*, void*) { end_without_memory(); }, nullptr);
}

}  // namespace

JSContext* start_library() {
  std::set_new_handler(end_without_memory);
  setenv("TZ", "UTC", 1);  // no file is read for it
  JS::DisableJitBackend();
  if (!JS_Init()) return nullptr;
  JS::SetHelperThreadTaskCallback(leave_task, 1, limits::script_stack_bytes_max);
  JS::SetReduceMicrosecondTimePrecisionCallback(time_shown);
  JSContext* const cx = JS_NewContext(limits::script_data_bytes_max);
  if (cx == nullptr) return nullptr;
  bound(cx);
  static Jobs jobs;
  JS::SetJobQueue(cx, &jobs);
  js::SetStackFormat(cx, js::StackFormat::V8);
  return JS::InitSelfHostedCode(cx) ? cx : nullptr;
}

}  // namespace mayfly::script
