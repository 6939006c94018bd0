// NoWait: while one exists, the calling thread runs for an event loop, which must not wait for
// another thread's lock. A function that would wait fails instead, and a thread that may wait
// repeats the work from the start. So the work must be repeatable as long as it has changed
// nothing. Once it has changed something, it goes on, and waits if it must.
#pragma once

namespace mayfly {

// Threads: the one that created it.
class NoWait {
 public:
  NoWait() : outer_(current_) { current_ = this; }
  NoWait(const NoWait&) = delete;
  NoWait& operator=(const NoWait&) = delete;
  ~NoWait() { current_ = outer_; }

  // Whether the work failed only because it would have had to wait. Then nothing has been changed.
  bool has_refused() const { return has_refused_; }

  // --- for functions called meanwhile, at any depth ---

  // Whether the calling thread must not wait.
  static bool stands() { return current_ != nullptr && !current_->has_changed_; }
  // The same; if true, the caller must fail.
  static bool refuses() {
    if (!stands()) return false;
    current_->has_refused_ = true;
    return true;
  }
  // Whether it has refused a wait already; then nothing may be changed any more.
  static bool has_refused_here() { return current_ != nullptr && current_->has_refused_; }
  // Reports that something has been changed for good.
  static void note_change() {
    if (current_ != nullptr) current_->has_changed_ = true;
  }

 private:
  inline static thread_local NoWait* current_ = nullptr;
  NoWait* const outer_;
  bool has_refused_ = false;
  bool has_changed_ = false;
};

}  // namespace mayfly
