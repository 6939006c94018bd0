// For the server's tests: a gate between threads, and a disk whose flushes can be held back.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "net/message.h"

namespace mayfly::net {

// Yields until another thread has made the claim true; false after a timeout.
inline bool becomes_true(const std::function<bool()>& claim) {
  const Instant deadline = monotonic_now() + Span::seconds(20);
  while (!claim()) {
    if (monotonic_now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

// A gate at which a thread waits until another one opens it.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  // Lets the first waiting thread pass, or the next one that arrives.
  void let_one_pass() {
    const std::lock_guard lock(mutex_);
    ++may_pass_;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.wait(lock, [this] { return is_open_ || may_pass_ > 0; });
    if (!is_open_) --may_pass_;
  }
  int arrived() {
    const std::lock_guard lock(mutex_);
    return arrived_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  int may_pass_ = 0;
  int arrived_ = 0;
};

class FakeDurability final : public Durability {
 public:
  std::uint64_t applied() const override { return applied_; }
  std::uint64_t durable() const override { return durable_; }
  void sync(std::uint64_t watermark) override {
    gate.pass();
    ++syncs;
    durable_ = std::max(durable_.load(), watermark);
  }
  void write() { ++applied_; }
  void pass_to(std::uint64_t watermark) { durable_ = watermark; }  // without a sync()

  Gate gate;
  std::vector<Pair> headers;  // of its answers
  std::atomic<int> syncs = 0;

 private:
  std::atomic<std::uint64_t> applied_ = 0;
  std::atomic<std::uint64_t> durable_ = 0;
};

}  // namespace mayfly::net
