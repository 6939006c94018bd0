// For tests of events: a stream that stores what is sent on it.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/message.h"
#include "value/json/json.h"

namespace mayfly::centrali::testing {

// A stream that stores what is sent on it. Each wait has a timeout, so that a defect fails the
// test.
class StreamClient final : public net::Stream {
 public:
  bool send(std::string piece) override {
    const std::lock_guard lock(mutex_);
    if (!is_open_) return false;
    received_ += piece;
    unsent_ += is_slow_ ? piece.size() : 0;
    changed_.notify_all();
    return true;
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
    changed_.notify_all();
  }
  bool is_open() const override {
    const std::lock_guard lock(mutex_);
    return is_open_;
  }
  std::size_t unsent_bytes() const override {
    const std::lock_guard lock(mutex_);
    return unsent_;
  }
  void when_sent(std::function<void()> act) override {
    std::unique_lock lock(mutex_);
    if (unsent_ > 0) {
      when_sent_ = std::move(act);
      changed_.notify_all();
      return;
    }
    lock.unlock();
    act();
  }
  bool work(std::function<void()> make) override {
    if (!is_open()) return false;
    make();
    return true;
  }

  void become_slow() {
    const std::lock_guard lock(mutex_);
    is_slow_ = true;
  }
  // The client has read all unsent bytes. Returns how many there were.
  std::size_t read_unsent() {
    std::unique_lock lock(mutex_);
    const std::size_t taken = std::exchange(unsent_, 0);
    auto act = std::exchange(when_sent_, nullptr);
    lock.unlock();
    if (act) act();
    return taken;
  }
  // Everything received so far, once it contains the text that many times.
  std::string until(const std::string& text, int times = 1) {
    std::unique_lock lock(mutex_);
    const auto is_there = [&] {
      std::size_t at = 0;
      for (int i = 0; i < times; ++i) {
        at = received_.find(text, at);
        if (at == std::string::npos) return false;
        at += text.size();
      }
      return true;
    };
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), is_there))
        << text << " was not heard in\n"
        << received_.substr(0, 2'000);
    return received_;
  }
  bool wait_until_closed() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return !is_open_; });
  }
  bool wait_until_blocked() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return bool(when_sent_); });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string received_;
  std::function<void()> when_sent_;
  std::size_t unsent_ = 0;
  bool is_open_ = true;
  bool is_slow_ = false;
};

// The payloads of a stream's events, in order.
inline std::vector<Value> payloads_of(const std::string& received) {
  std::vector<Value> payloads;
  constexpr std::string_view mark = "event: message\ndata: ";
  for (std::size_t at = received.find(mark); at != std::string::npos;
       at = received.find(mark, at)) {
    at += mark.size();
    const auto parsed = parse_json(received.substr(at, received.find('\n', at) - at));
    EXPECT_TRUE(parsed);
    if (parsed) payloads.push_back(*parsed);
  }
  return payloads;
}

inline std::string names_in(const std::string& received) {
  std::string names;
  for (const Value& payload : payloads_of(received)) {
    names += (names.empty() ? "" : " ") + payload.member("event").text();
  }
  return names;
}

}  // namespace mayfly::centrali::testing
