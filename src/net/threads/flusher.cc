// The thread that flushes, and waits for the disk.
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

void Flusher::flush(std::uint64_t watermark, Waiter& waiter) {
  {
    const std::lock_guard lock(mutex_);
    requested_.push_back(&waiter);
    watermark_ = std::max(watermark_, watermark);
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
    changed_.wait(lock, [this] { return is_stopped_ || !requested_.empty(); });
    if (requested_.empty()) return;
    being_served_.swap(requested_);
    const std::uint64_t watermark = watermark_;
    since_ = monotonic_now();
    lock.unlock();
    KILL_POINT("answer.before_sync");
    durability_->sync(watermark);
    for (Waiter* one : being_served_) one->flushed();
    being_served_.clear();
    lock.lock();
    since_ = Instant::never();
  }
}

}  // namespace mayfly::net
