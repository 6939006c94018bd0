// Runner: threads for scripts that no request waits for. What is to be run waits in a queue with a
// bound.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "script/limits.h"

namespace mayfly::script {

struct RunnerOptions {
  std::size_t threads = limits::runner_threads;
  std::size_t waiting_max = limits::runner_tasks_waiting_max;
};

// Threads: any; no thread is started before the first task. Its groups end before it.
class Runner {
 public:
  using Task = std::function<void()>;

  explicit Runner(RunnerOptions options = {}) : options_(options) {}
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

    // Runs it later, once, unless it is dropped. False, and dropped, where too many wait. What the
    // task throws is logged.
    bool add(Task task);
    // Whether the runner stops: what a task was about is not to be taken for done.
    bool is_stopping() const;

   private:
    Runner& runner_;
  };

 private:
  struct Waiting {
    const Group* group = nullptr;
    Task task;
  };
  void work();
  bool is_running(const Group* group) const;

  const RunnerOptions options_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  std::vector<const Group*> running_;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly::script
