// A stream without a socket, for tests: keeps what is sent, and can act as a client that does not
// read or that leaves.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "net/message.h"

namespace mayfly::testing {

// Threads: any.
class FakeStream final : public net::Stream {
 public:
  bool send(std::string piece) override {
    const std::lock_guard lock(mutex_);
    if (is_ended_ || has_left_) return false;
    text_ += piece;
    if (does_not_read_) unsent_bytes_ += piece.size();
    most_unsent_ = std::max(most_unsent_, unsent_bytes_);
    changed_.notify_all();
    return true;
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    changed_.notify_all();
  }
  bool is_open() const override {
    const std::lock_guard lock(mutex_);
    return !is_ended_ && !has_left_;
  }
  std::size_t unsent_bytes() const override {
    const std::lock_guard lock(mutex_);
    return unsent_bytes_;
  }
  void when_sent(std::function<void()> act) override {
    {
      const std::lock_guard lock(mutex_);
      if (unsent_bytes_ > 0) {
        when_sent_ = std::move(act);
        changed_.notify_all();
        return;
      }
    }
    act();
  }

  bool work(std::function<void()> make) override {
    if (!is_open()) return false;
    make();
    return true;
  }

  // --- the client ---
  // From now on the client reads nothing, until read_all().
  void stop_reading() {
    const std::lock_guard lock(mutex_);
    does_not_read_ = true;
  }
  void read_all() { forget_unsent(false); }
  void leave() { forget_unsent(true); }

  // --- what was received; these wait until the condition holds, or until a time-out ---
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  bool has(std::string_view part) {
    return waits_until([&] { return text_.find(part) != std::string::npos; });
  }
  bool has_bytes(std::size_t bytes) {
    return waits_until([&] { return text_.size() >= bytes; });
  }
  bool is_ended() {
    return waits_until([this] { return is_ended_; });
  }
  // Whether a sender waits for the client to read.
  bool is_awaited() {
    return waits_until([this] { return when_sent_ != nullptr; });
  }
  std::size_t most_unsent() const {
    const std::lock_guard lock(mutex_);
    return most_unsent_;
  }

 private:
  void forget_unsent(bool leaves) {
    std::function<void()> act;
    {
      const std::lock_guard lock(mutex_);
      has_left_ = has_left_ || leaves;
      does_not_read_ = false;
      unsent_bytes_ = 0;
      act = std::exchange(when_sent_, nullptr);
    }
    if (act) act();
  }
  bool waits_until(const std::function<bool()>& claim) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), claim);
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  std::size_t unsent_bytes_ = 0;
  std::size_t most_unsent_ = 0;
  std::function<void()> when_sent_;
  bool does_not_read_ = false;
  bool is_ended_ = false;
  bool has_left_ = false;
};

}  // namespace mayfly::testing
