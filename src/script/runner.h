// Runner: threads for scripts that no request waits for. What is to be run waits in a queue with
// bounds, in which those who share the threads, as workspaces do, have their turns.
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

// Threads: any; no thread is started before the first task. Its groups end before it.
class Runner {
 public:
  using Task = std::function<void()>;

  explicit Runner(RunnerOptions options = {});
  ~Runner() { stop(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Scripts under way are cancelled, tasks that wait are dropped, and no more are taken. Returns
  // once no task is running.
  void stop();

  // The tasks of one owner. Its end drops those that wait, and returns once none is running.
  class Group {
   public:
    explicit Group(Runner& runner) : runner_(runner) {}
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    // Runs it later, once, unless it is dropped. False, and dropped, where too many wait, of all or
    // of `sharer`, whose tasks never take the last thread. What the task throws is logged.
    bool add(const std::string& sharer, Task task);
    // Whether the runner stops: what a task was about is not to be taken for done.
    bool is_stopping() const;

   private:
    Runner& runner_;
  };

 private:
  struct Waiting {
    const Group* group;
    std::string sharer;
    Task task;
  };
  using WaitingPtr = std::shared_ptr<Waiting>;
  void work();
  bool is_running(const Group* group) const;
  // Of one group, or all (null). They are dropped where no lock is held.
  std::vector<WaitingPtr> take_waiting(const Group* group);

  const RunnerOptions options_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  FairQueue<WaitingPtr> queue_;
  std::set<WaitingPtr> waiting_;  // all that are in the queue
  std::vector<const Group*> running_;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly::script
