// Watchdog: one thread that interrupts running scripts now and then, so that they look at their
// bounds. It starts with the first script and rests while none runs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace mayfly::cosmos {

// Threads: any.
class Watchdog {
 public:
  using Interrupt = void (*)(void* context);

  static Watchdog& get();
  ~Watchdog();

  // As often as watched, so often is it to be forgotten; from then on it is not touched.
  void watch(void* context, Interrupt interrupt);
  void forget(void* context);

 private:
  struct Watched {
    void* context;
    Interrupt interrupt;
  };

  Watchdog() = default;
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watched> watched_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace mayfly::cosmos
