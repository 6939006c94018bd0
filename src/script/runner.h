// Runner: threads for scripts that no request waits for. Tasks wait in a bounded queue, which
// serves the databases or workspaces that share the threads in turn.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/threads/fair_queue.h"
#include "script/limits.h"

namespace mayfly::script {

struct RunnerOptions {
  std::size_t threads = limits::runner_threads;
  std::size_t waiting_max = limits::runner_tasks_waiting_max;
  std::size_t waiting_of_one_max = limits::runner_tasks_waiting_of_one_max;
};

// Threads: any. No thread is started before the first task. Groups must be destroyed before the
// runner.
class Runner {
 public:
  using Task = std::function<void()>;

  explicit Runner(RunnerOptions options = {});
  ~Runner() { stop(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Cancels running scripts, drops queued tasks, and accepts no more. Returns once no task is
  // running.
  void stop();

  // The tasks of one owner. The destructor drops queued tasks, and returns once none is running.
  class Group {
   public:
    explicit Group(Runner& runner) : runner_(runner) {}
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    // Queues the task to run once, unless it is dropped. False, and dropped, if too many tasks
    // wait, in all or of this `tenant`. The tasks of one tenant never take the last thread. An
    // exception of the task is logged.
    bool add(const std::string& tenant, Task task);
    // Whether the runner is stopping. Then the work of a task must not be recorded as done.
    bool is_stopping() const;

   private:
    Runner& runner_;
  };

 private:
  struct QueuedTask {
    const Group* group;
    std::string tenant;
    Task task;
  };
  using QueuedTaskPtr = std::shared_ptr<QueuedTask>;
  void work();
  bool is_running(const Group* group) const;
  // Takes the queued tasks of one group, or all (null). The caller destroys them without holding
  // the lock.
  std::vector<QueuedTaskPtr> take_waiting(const Group* group);

  const RunnerOptions options_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  FairQueue<QueuedTaskPtr> queue_;
  std::set<QueuedTaskPtr> waiting_;  // all tasks in the queue
  std::vector<const Group*> running_;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly::script
