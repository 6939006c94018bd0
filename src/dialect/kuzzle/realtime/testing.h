// For tests of rooms: a sender that keeps what it is sent, and a Realtime over a collection.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/testing.h"
#include "dialect/kuzzle/realtime/limits.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle::realtime {

using mayfly::testing::must;

// Keeps what it is sent.
class RecordingSender final : public Sender {
 public:
  bool send(const net::SharedText& begin, std::string_view end) override {
    if (when_sent) when_sent();
    const std::lock_guard lock(mutex_);
    texts.insert(begin.get());
    frames_.push_back(begin->text() + std::string(end));
    arrived_.notify_all();
    return frames_.size() < frames_max;
  }
  void give_up() override { ++given_up; }
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(frames_, {});
  }
  std::function<void()> when_sent;
  std::size_t frames_max = SIZE_MAX;
  int given_up = 0;
  std::set<const net::SharedBytes*> texts;  // that frames began with
  bool waits_for_frames(std::size_t count) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, std::chrono::seconds(20),
                             [&] { return frames_.size() >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::string> frames_;
};

class RealtimeTest : public ::testing::Test {
 protected:
  static CollectionChange policy() {
    return {.keep_history_for = Span::seconds(3'600),
            .keep_trash_for = Span::seconds(86'400),
            .keep_feed_for = Span::seconds(3'600)};
  }
  RealtimeTest() : rows(world.collection("rows", policy())) { connection = connect(listener); }

  ConnectionId connect(std::shared_ptr<RecordingSender>& made) {
    made = std::make_shared<RecordingSender>();
    return realtime.connect(made);
  }
  Subscribed subscribe(std::string_view filter, Channel requested = {},
                       const Generation& generation = generations::v1) {
    return must(
        realtime.subscribe(connection, {}, name, must(parse_json(filter)), requested, generation));
  }
  // The notifications in short form: action scope result.
  static std::string shortened(const std::vector<std::string>& frames) {
    std::string text;
    for (const std::string& frame : frames) {
      const Value notification = must(parse_json(frame));
      text += (text.empty() ? "" : " | ") + notification.member("action").text() + " ";
      if (notification.member("type").text() == "user") {
        text +=
            notification.member("user").text() + " " + render_json(notification.member("result"));
      } else {
        Value result = notification.member("result");
        const bool has_source = !result.member("_source").is_missing();
        text += notification.member("scope").text() + " " +
                (result.member("_id").is_null() ? "null" : result.member("_id").text()) +
                (has_source ? " " + render_json(result.member("_source")) : "");
      }
    }
    return text;
  }
  std::string notifications() {
    realtime.run();
    return shortened(listener->take());
  }
  static std::string notifications_to(const std::shared_ptr<RecordingSender>& sender) {
    return shortened(sender->take());
  }

  mayfly::testing::World world;
  CollectionPtr rows;
  Realtime realtime{*world.database};
  const CollectionName name{"test", "rows"};
  std::shared_ptr<RecordingSender> listener;
  ConnectionId connection = 0;
};

}  // namespace mayfly::kuzzle::realtime
