#include "store/rocks/engine/group_sync.h"
#include "base/service/kill_point.h"

#include <utility>

namespace mayfly::store {

GroupSync::GroupSync(Version durable, Flush flush) : flush_(std::move(flush)), durable_(durable) {}

std::size_t GroupSync::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

// True: it is the caller's turn to flush. False: there is no need any more.
bool GroupSync::wait_for_turn(std::unique_lock<std::mutex>& lock, Version version) {
  // The flush that serves this caller is one that has not begun yet.
  std::condition_variable& over = flush_over_[(flushes_begun_ + 1) % 2];
  ++waiting_;
  over.wait(lock, [&] { return !flushing_ || durable() >= version; });
  --waiting_;
  if (durable() < version) return true;
  // Served by an earlier flush after all, and perhaps woken to do the next: then somebody else
  // must.
  if (!flushing_) over.notify_one();
  return false;
}

void GroupSync::reach(Version version) {
  if (durable() >= version) return;
  std::unique_lock lock(mutex_);
  if (!wait_for_turn(lock, version)) return;
  flushing_ = true;
  const std::uint64_t mine = ++flushes_begun_;
  lock.unlock();
  const Version reached = flush_();
  KILL_POINT("sync.told");
  lock.lock();
  durable_.store(reached, std::memory_order_release);
  flushing_ = false;
  flush_over_[mine % 2].notify_all();
  flush_over_[(mine + 1) % 2].notify_one();
}

}  // namespace mayfly::store
