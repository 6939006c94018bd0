#include "store/rocks/engine/group_sync.h"
#include "base/service/kill_point.h"

#include <utility>

namespace mayfly::store {

GroupSync::GroupSync(Version durable, Flush flush) : flush_(std::move(flush)), durable_(durable) {}

std::size_t GroupSync::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

// True: the caller must flush. False: its version is durable.
bool GroupSync::wait_to_flush(std::unique_lock<std::mutex>& lock, Version version) {
  // The flush that serves this caller has not begun yet.
  std::condition_variable& ended = flush_ended_[(flushes_begun_ + 1) % 2];
  ++waiting_;
  ended.wait(lock, [&] { return !flushing_ || durable() >= version; });
  --waiting_;
  if (durable() < version) return true;
  // An earlier flush has served this caller. It may have been woken to make the next flush, so it
  // wakes another caller for that.
  if (!flushing_) ended.notify_one();
  return false;
}

void GroupSync::reach(Version version) {
  if (durable() >= version) return;
  std::unique_lock lock(mutex_);
  if (!wait_to_flush(lock, version)) return;
  flushing_ = true;
  const std::uint64_t mine = ++flushes_begun_;
  lock.unlock();
  const Version reached = flush_();
  KILL_POINT("sync.durable");
  lock.lock();
  durable_.store(reached, std::memory_order_release);
  flushing_ = false;
  flush_ended_[mine % 2].notify_all();
  flush_ended_[(mine + 1) % 2].notify_one();
}

}  // namespace mayfly::store
