// The order of publications and of events of documents.
#include "dialect/kuzzle/realtime/testing.h"

namespace mayfly::kuzzle::realtime {
namespace {

TEST_F(RealtimeTest, PublicationsThatKeepComingDelayNoDocument) {
  subscribe("{}");
  const auto publish = [&] { must(realtime.publish({}, name, Value(Object()))); };
  const std::size_t before = 2 * limits::realtime_said_turn_max;
  for (std::size_t i = 0; i < before; ++i) publish();
  must(world.put(rows, "d1", "{}"));
  // Sending one publishes another one.
  std::size_t left = 10 * before;
  listener->when_sent = [&] {
    if (left > 0 && left-- > 0) publish();
  };
  realtime.run();
  const std::vector<std::string> frames = listener->take();
  EXPECT_EQ(frames.size(), 11 * before + 1);
  ASSERT_EQ(shortened({frames.at(before)}), "create in d1 {}") << "after what was said before it";
}

// The first belongs to no known request, like a write by another API.
TEST_F(RealtimeTest, ALaterWriteDelaysNoNotification) {
  subscribe("{}");
  must(world.put(rows, "d1", "{}"));
  auto later = realtime.begin_write({.action = "replace"}, name, {{"d1"}});
  must(world.put(rows, "d2", "{}"));
  EXPECT_EQ(notifications(), "create in d1 {} | create in d2 {}");
  later.committed(must(world.put(rows, "d1", R"({"n": 2})")));
  auto latest = realtime.begin_write({.action = "replace"}, name, {{"d1"}});
  EXPECT_EQ(notifications(), R"(replace in d1 {"n":2})");
}

}  // namespace
}  // namespace mayfly::kuzzle::realtime
