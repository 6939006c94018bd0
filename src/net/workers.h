// A few threads for what takes long. Overload is refused at the door, not queued without end.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mayfly::net {

// Threads: all members may be called from any thread but a worker.
class Workers {
 public:
  // Jobs must not throw.
  using Job = std::function<void()>;

  Workers(int threads, std::size_t waiting_max);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False where as many jobs wait as may, or after stop(); the job is then not run.
  [[nodiscard]] bool submit(Job job);
  // Waits for the jobs that run; those that wait are never run. Idempotent.
  void stop();

 private:
  void work();

  const std::size_t waiting_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::size_t resting_ = 0;  // workers that wait for a job
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly::net
