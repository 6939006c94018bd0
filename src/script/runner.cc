#include "script/runner.h"

#include <algorithm>
#include <utility>

#include "base/run_permit.h"
#include "base/thread.h"

namespace mayfly::script {
namespace {

// What the tasks have in place of a request's: no short request waits for their thread, and the end
// of the server cancels their scripts.
class TaskPermit final : public RunPermit {
 public:
  explicit TaskPermit(std::function<bool()> is_stopping) : is_stopping_(std::move(is_stopping)) {}

  Result<void> renew() override {
    if (is_cancelled()) return fail(Code::timed_out, "the server stops");
    return {};
  }
  bool may_take_long() const override { return true; }
  bool is_cancelled() const override { return is_stopping_(); }
  void note_peak(std::size_t) override {}

 private:
  const std::function<bool()> is_stopping_;
};

}  // namespace

void Runner::stop() {
  std::vector<std::thread> threads;
  std::deque<Waiting> dropped;  // not under the lock
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    threads.swap(threads_);
    dropped.swap(waiting_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

bool Runner::is_running(const Group* group) const {
  return std::find(running_.begin(), running_.end(), group) != running_.end();
}

void Runner::work() {
  become_background_thread("functions");
  TaskPermit permit([this] {
    const std::lock_guard lock(mutex_);
    return is_stopping_;
  });
  const RunPermitScope scope(permit);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
    if (is_stopping_) return;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    running_.push_back(next.group);
    lock.unlock();
    run_guarded("a function", next.task);
    next.task = {};  // with what it holds, before its group may end
    lock.lock();
    running_.erase(std::find(running_.begin(), running_.end(), next.group));
    changed_.notify_all();
  }
}

Runner::Group::~Group() {
  std::deque<Waiting> dropped;  // not under the lock
  std::unique_lock lock(runner_.mutex_);
  const auto is_own = [this](const Waiting& one) { return one.group == this; };
  for (Waiting& one : runner_.waiting_) {
    if (is_own(one)) dropped.push_back({this, std::exchange(one.task, {})});
  }
  std::erase_if(runner_.waiting_, is_own);
  runner_.changed_.wait(lock, [this] { return !runner_.is_running(this); });
  lock.unlock();
}

bool Runner::Group::add(Task task) {
  const std::lock_guard lock(runner_.mutex_);
  if (runner_.is_stopping_ || runner_.waiting_.size() >= runner_.options_.waiting_max) return false;
  runner_.waiting_.push_back({this, std::move(task)});
  if (runner_.threads_.size() < runner_.options_.threads) {
    runner_.threads_.emplace_back(
        [&runner = runner_] { keep_running("functions", [&runner] { runner.work(); }); });
  }
  runner_.changed_.notify_all();
  return true;
}

bool Runner::Group::is_stopping() const {
  const std::lock_guard lock(runner_.mutex_);
  return runner_.is_stopping_;
}

}  // namespace mayfly::script
