// The quota of one client for subscriptions, over all its connections.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "db/testing.h"
#include "dialect/kuzzle/realtime/limits.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle::realtime {
namespace {

using mayfly::testing::must;

class Deaf final : public Sender {
 public:
  bool send(const net::SharedText&, std::string_view) override { return true; }
  void give_up() override {}
};

// Subscribes filters of one client on new connections until one is refused; returns that answer.
struct Fill {
  std::size_t made = 0;
  std::string id;  // of the refusal
};

class RealtimeShareTest : public ::testing::Test {
 protected:
  Fill fill(const std::string& client, const std::function<Value(std::size_t)>& filter) {
    Fill fill;
    for (; fill.made < 100'000; ++fill.made) {
      if (fill.made % 500 == 0) connections.push_back(connect());
      const auto one = own.subscribe(connections.back(), {.client = client}, name,
                                     filter(fill.made), {}, generations::v1);
      if (one) continue;
      fill.id = one.error().field;
      break;
    }
    return fill;
  }
  ConnectionId connect() { return own.connect(std::make_shared<Deaf>()); }
  bool may_subscribe(const std::string& client, const Value& filter) {
    connections.push_back(connect());
    return own.subscribe(connections.back(), {.client = client}, name, filter, {}, generations::v1)
        .has_value();
  }

  static constexpr std::size_t rooms_max = 8'000;
  mayfly::testing::World world;
  const CollectionName name{"test", "rows"};
  Realtime own{*world.database, {.rooms_max = rooms_max}};
  std::vector<ConnectionId> connections;
};

TEST_F(RealtimeShareTest, OneClientLeavesRoomsForOthersOverAllItsConnections) {
  const auto filter = [](std::size_t n) {
    return Value(Object{{"equals", Object{{"a", static_cast<std::int64_t>(n)}}}});
  };
  const Fill filled = fill("ann", filter);
  EXPECT_EQ(filled.made, rooms_max / limits::realtime_client_rooms_part);
  EXPECT_EQ(filled.id, "core.realtime.too_many_rooms");
  // Other connections of the client may enter its rooms; these count once.
  EXPECT_TRUE(may_subscribe("ann", filter(1)));
  EXPECT_FALSE(may_subscribe("ann", filter(rooms_max)));
  EXPECT_TRUE(may_subscribe("bob", filter(rooms_max)));
  own.disconnect(connections.front());
  EXPECT_TRUE(may_subscribe("ann", filter(rooms_max + 1)));
  for (const ConnectionId id : connections) own.disconnect(id);
  EXPECT_EQ(fill("ann", filter).made, filled.made);
}

TEST_F(RealtimeShareTest, AndBytesOfFiltersAndStepsOfPatterns) {
  const Fill large = fill("ann", [](std::size_t n) {
    return Value(Object{{"equals", Object{{"a" + std::to_string(n), std::string(60'000, 'x')}}}});
  });
  EXPECT_EQ(large.id, "core.realtime.too_many_rooms");
  EXPECT_LE(large.made, limits::realtime_client_filter_bytes_max / 60'000);
  EXPECT_GE(large.made, limits::realtime_client_filter_bytes_max / 61'000);
  const auto costly = [](std::size_t n) {
    return must(
        parse_json(fmt::format(R"({{"regexp":{{"t":"(a|b)*(.{{60}})[b-c]x{:05}$"}}}})", n)));
  };
  std::size_t made = 0;
  for (std::size_t n = 0; n < 1'000;
       ++n, ++made) {  // each on its own connection, which has a bound, too
    if (!may_subscribe("bob", costly(n))) break;
  }
  EXPECT_LT(made, 1'000U);
  EXPECT_TRUE(may_subscribe("eve", costly(1'000)));
}

TEST_F(RealtimeShareTest, AndSubscriptions) {
  std::vector<Channel> channels;
  for (const char* state : {"all", "done", "pending"}) {
    for (const char* scope : {"all", "in", "out", "none"}) {
      channels.push_back(must(parse_channel(state, scope, "none")));
    }
  }
  const auto enter = [&](const std::string& client, ConnectionId id, std::size_t n) {
    const Value filter = Object{{"equals", Object{{"a", static_cast<std::int64_t>(n % 1'000)}}}};
    return own.subscribe(id, {.client = client}, name, filter, channels[n / 1'000], generations::v1)
        .has_value();
  };
  std::size_t made = 0;
  bool is_full = false;
  while (!is_full) {
    ASSERT_LE(made, limits::realtime_client_subscriptions_max);
    const ConnectionId id = connect();
    for (std::size_t n = 0; n < 1'000 * channels.size() && !is_full; ++n) {
      is_full = !enter("ann", id, n);
      made += is_full ? 0 : 1;
    }
  }
  EXPECT_EQ(made, limits::realtime_client_subscriptions_max);
  EXPECT_TRUE(enter("bob", connect(), 0));
}

}  // namespace
}  // namespace mayfly::kuzzle::realtime
