// The thread that waits for the disk.
#include "net/threads/flusher.h"

#include <algorithm>

#include "base/service/kill_point.h"
#include "base/threads/thread.h"

namespace mayfly::net {

Flusher::Flusher(Durability* durability) : durability_(durability) {
  if (durability_ == nullptr) return;
  thread_ = std::thread([this] {
    become_prompt_thread("net flush");
    keep_running("net flush", [this] { work(); });
  });
}

Flusher::~Flusher() {
  stop();
}

void Flusher::flush(std::uint64_t mark, Waiting& waiting) {
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(&waiting);
    mark_ = std::max(mark_, mark);
  }
  changed_.notify_one();
}

Span Flusher::flushing_for() const {
  const std::lock_guard lock(mutex_);
  return since_.is_never() ? Span{0} : monotonic_now() - since_;
}

void Flusher::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Flusher::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_stopped_ || !asked_.empty(); });
    if (asked_.empty()) return;
    served_.swap(asked_);
    const std::uint64_t mark = mark_;
    since_ = monotonic_now();
    lock.unlock();
    KILL_POINT("answer.before_sync");
    durability_->sync(mark);
    for (Waiting* one : served_) one->flushed();
    served_.clear();
    lock.lock();
    since_ = Instant::never();
  }
}

}  // namespace mayfly::net
