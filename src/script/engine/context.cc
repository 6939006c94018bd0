// The engine's library: started once, with one context and no threads.
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
// Memory that objects have allocated, before garbage is collected; in megabytes.
constexpr std::uint32_t malloc_megabytes_between_collections = 16;

[[noreturn]] void end_without_memory() {
  _exit(exit_out_of_memory);
}

// After garbage has been collected, the script holds the remaining memory.
void check_memory(JSContext*, JSGCStatus status, JS::GCReason, void*) {
  if (status == JSGC_END && engine != nullptr && engine->bytes() > limits::script_heap_bytes_max) {
    end_without_memory();
  }
}

// Scripts see the `now` of their request: time does not advance while they run.
double time_shown(double, JSContext*) {
  return engine == nullptr ? 0 : static_cast<double>(engine->now.micros);
}

// Adds the jobs of promises to the current globals. Called by the library.
class PromiseJobs final : public JS::JobQueue {
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
  // Required for debuggers, which are not used.
  class NoSavedJobs final : public SavedJobQueue {};
  js::UniquePtr<SavedJobQueue> saveJobQueue(JSContext*) override {
    return js::MakeUnique<NoSavedJobs>();
  }
};

// Tasks for other threads stay queued until the library needs their results, and then run on the
// only thread.
void keep_task_queued(JS::DispatchReason) {}

void bound(JSContext* cx) {
  JS_SetNativeStackQuota(cx, limits::script_stack_bytes_max);
  JS_SetGCParameter(cx, JSGC_MAX_NURSERY_BYTES, nursery_bytes_max);
  JS_SetGCParameter(cx, JSGC_MALLOC_THRESHOLD_BASE, malloc_megabytes_between_collections);
  JS::ContextOptionsRef(cx).setAsmJS(false).setWasm(false);
  JS_SetGCCallback(cx, check_memory, nullptr);
  JS::SetOutOfMemoryCallback(cx, [](JSContext*, void*) { end_without_memory(); }, nullptr);
}

}  // namespace

JSContext* start_library() {
  std::set_new_handler(end_without_memory);
  setenv("TZ", "UTC", 1);  // needs no file
  JS::DisableJitBackend();
  if (!JS_Init()) return nullptr;
  JS::SetHelperThreadTaskCallback(keep_task_queued, 1, limits::script_stack_bytes_max);
  JS::SetReduceMicrosecondTimePrecisionCallback(time_shown);
  JSContext* const cx = JS_NewContext(limits::script_data_bytes_max);
  if (cx == nullptr) return nullptr;
  bound(cx);
  static PromiseJobs jobs;
  JS::SetJobQueue(cx, &jobs);
  js::SetStackFormat(cx, js::StackFormat::V8);
  return JS::InitSelfHostedCode(cx) ? cx : nullptr;
}

}  // namespace mayfly::script
