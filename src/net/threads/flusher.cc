// The thread that waits for the disk.
#include "net/threads/flusher.h"

#include <algorithm>

#include "base/service/kill_point.h"
#include "base/threads/thread.h"
#include "net/requests/limits.h"

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

bool Flusher::flush_here(std::uint64_t mark) {
  {
    const std::lock_guard lock(mutex_);
    const bool is_under_way = !since_.is_never() || !asked_.empty();
    if (is_under_way || last_took_ > limits::quick_flush_max) return false;
    note_begin();
  }
  KILL_POINT("answer.before_sync");
  durability_->sync(mark);
  const std::lock_guard lock(mutex_);
  note_end();
  return true;
}

// Two may flush together: then the time of the later one is shown.
void Flusher::note_begin() {
  since_ = monotonic_now();
}

void Flusher::note_end() {
  last_took_ = since_.is_never() ? last_took_ : monotonic_now() - since_;
  since_ = Instant::never();
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
    note_begin();
    lock.unlock();
    KILL_POINT("answer.before_sync");
    durability_->sync(mark);
    for (Waiting* one : served_) one->flushed();
    served_.clear();
    lock.lock();
    note_end();
  }
}

}  // namespace mayfly::net
