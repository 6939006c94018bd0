// NoWait: while one stands, the calling thread runs for an event loop, which must not wait for
// another thread's lock. Whoever would wait fails instead; the work is then done again, from the
// start, by a thread that may wait. So the work must be such that it can be done again for as long
// as it has changed nothing; once it has changed something it goes on, and waits where it must.
#pragma once

namespace mayfly {

// Threads: the one that made it.
class NoWait {
 public:
  NoWait() : outer_(current_) { current_ = this; }
  NoWait(const NoWait&) = delete;
  NoWait& operator=(const NoWait&) = delete;
  ~NoWait() { current_ = outer_; }

  // The work has failed only because it would have had to wait. Nothing has been changed.
  bool has_refused() const { return has_refused_; }

  // --- for what is called meanwhile, however deep ---

  // Whether the calling thread must not wait.
  static bool stands() { return current_ != nullptr && !current_->has_changed_; }
  // The same, and the caller fails for it.
  static bool refuses() {
    if (!stands()) return false;
    current_->has_refused_ = true;
    return true;
  }
  // Whether it has refused something already: then nothing may be changed any more.
  static bool has_refused_here() { return current_ != nullptr && current_->has_refused_; }
  // Something has been changed for good.
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
