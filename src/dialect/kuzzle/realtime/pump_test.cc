// What is told before what.
#include "dialect/kuzzle/realtime/realtime_testing.h"

namespace mayfly::kuzzle::realtime {
namespace {

TEST_F(RealtimeTest, PublicationsThatKeepComingDelayNoDocument) {
  subscribe("{}");
  const auto publish = [&] { must(realtime.publish({}, name, Value(Object()))); };
  const std::size_t before = 2 * limits::realtime_said_turn_max;
  for (std::size_t i = 0; i < before; ++i) publish();
  must(world.put(rows, "d1", "{}"));
  // Each that is told has another one published.
  std::size_t left = 10 * before;
  listener->when_sent = [&] {
    if (left > 0 && left-- > 0) publish();
  };
  realtime.run();
  const std::vector<std::string> frames = listener->take();
  EXPECT_EQ(frames.size(), 11 * before + 1);
  ASSERT_EQ(shortened({frames.at(before)}), "create in d1 {}") << "after what was said before it";
}

}  // namespace
}  // namespace mayfly::kuzzle::realtime
