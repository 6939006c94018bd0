// The pool of workers.
#include "net/workers.h"

#include <algorithm>
#include <utility>

#include "base/thread.h"

namespace mayfly::net {

Workers::Workers(int threads, std::size_t waiting_max) : waiting_max_(waiting_max) {
  for (int i = 0; i < std::max(threads, 1); ++i) {
    threads_.emplace_back([this] { keep_running("net worker", [this] { work(); }); });
  }
}

Workers::~Workers() {
  stop();
}

bool Workers::submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    // A job that a resting worker is about to take does not wait.
    if (stopped_ || waiting_.size() >= waiting_max_ + resting_) return false;
    waiting_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void Workers::stop() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(waiting_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++resting_;
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    --resting_;
    if (stopped_) return;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
  }
}

}  // namespace mayfly::net
