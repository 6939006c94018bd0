#include "script/runner.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/threads/run_permit.h"
#include "base/threads/thread.h"

namespace mayfly::script {
namespace {

// The permit of a task, in place of a request's: no short request waits for its thread, and
// stopping the server cancels its script.
class TaskPermit final : public RunPermit {
 public:
  explicit TaskPermit(std::function<bool()> is_stopping) : is_stopping_(std::move(is_stopping)) {}

  Result<void> renew() override {
    if (is_cancelled()) return fail(Code::timed_out, "the server stops");
    return {};
  }
  bool may_take_long() const override { return true; }
  bool is_cancelled() const override { return is_stopping_(); }
  void report_peak(std::size_t) override {}

 private:
  const std::function<bool()> is_stopping_;
};

}  // namespace

Runner::Runner(RunnerOptions options)
    : options_(options),
      queue_({.under_way_max = options.threads,
              .under_way_of_one_group_max = std::max<std::size_t>(options.threads - 1, 1)}) {}

std::vector<Runner::QueuedTaskPtr> Runner::take_waiting(const Group* group) {
  std::vector<QueuedTaskPtr> taken;
  std::copy_if(waiting_.begin(), waiting_.end(), std::back_inserter(taken),
               [group](const auto& one) { return group == nullptr || one->group == group; });
  for (const QueuedTaskPtr& one : taken) {
    waiting_.erase(one);
    queue_.remove(one->tenant, one);
  }
  return taken;
}

void Runner::stop() {
  std::vector<std::thread> threads;
  std::vector<QueuedTaskPtr> dropped;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    threads.swap(threads_);
    dropped = take_waiting(nullptr);
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
    if (is_stopping_) return;
    const std::optional<QueuedTaskPtr> next = queue_.next();
    if (!next) {
      changed_.wait(lock);
      continue;
    }
    QueuedTask& one = **next;
    waiting_.erase(*next);
    running_.push_back(one.group);
    lock.unlock();
    run_guarded("a function", one.task);
    one.task = {};  // destroyed before its group may end
    lock.lock();
    queue_.end(one.tenant);
    running_.erase(std::find(running_.begin(), running_.end(), one.group));
    changed_.notify_all();
  }
}

Runner::Group::~Group() {
  std::unique_lock lock(runner_.mutex_);
  std::vector<QueuedTaskPtr> dropped = runner_.take_waiting(this);
  runner_.changed_.wait(lock, [this] { return !runner_.is_running(this); });
  lock.unlock();
  dropped.clear();
}

bool Runner::Group::add(const std::string& tenant, Task task) {
  auto one = std::make_shared<QueuedTask>(QueuedTask{this, tenant, std::move(task)});
  const std::lock_guard lock(runner_.mutex_);
  const RunnerOptions& options = runner_.options_;
  if (runner_.is_stopping_ || runner_.waiting_.size() >= options.waiting_max) return false;
  if (runner_.queue_.waiting_of(tenant) >= options.waiting_of_one_max) return false;
  runner_.waiting_.insert(one);
  runner_.queue_.add(tenant, std::move(one));
  if (runner_.threads_.size() < options.threads) {
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
