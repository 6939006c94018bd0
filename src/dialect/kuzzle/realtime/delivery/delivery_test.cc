// One event for many subscribers: how often it is rendered, how much each is sent, and which
// subscribers have entered or left.
#include "dialect/kuzzle/realtime/testing.h"

namespace mayfly::kuzzle::realtime {
namespace {

TEST_F(RealtimeTest, AnEntryIsSentByTheThreadToTheEarlierMembers) {
  const Channel with_users = must(parse_channel("", "", "all"));
  const std::string room = subscribe("{}", with_users).room_id;
  std::shared_ptr<RecordingSender> second;
  std::shared_ptr<RecordingSender> third;
  for (auto* other : {&second, &third}) {
    const ConnectionId id = connect(*other);
    must(realtime.join(id, {}, room, with_users, generations::v1));
  }
  EXPECT_TRUE(listener->take().empty()) << "whoever subscribes has sent it";
  EXPECT_EQ(notifications(), R"(subscribe in {"count":2} | subscribe in {"count":3})");
  EXPECT_EQ(notifications_to(second), R"(subscribe in {"count":3})");
  EXPECT_EQ(notifications_to(third), "");
}

TEST_F(RealtimeTest, VolatileOfASubscriptionIsBounded) {
  const std::string room = subscribe("{}").room_id;
  std::shared_ptr<RecordingSender> other;
  const ConnectionId id = connect(other);
  NotificationOrigin origin{.volatile_data = Object{{"v", Value(std::string(60'000, 'v'))}}};
  must(realtime.join(id, origin, room, {}, generations::v1));
  origin.volatile_data = Object{{"v", Value(std::string(70'000, 'v'))}};
  const auto subscribed =
      realtime.subscribe(id, origin, name, Value(Object()), {}, generations::v1);
  EXPECT_EQ(subscribed.error().code, Code::too_large);
  EXPECT_EQ(subscribed.error().field, "volatile");
  EXPECT_EQ(realtime.join(id, origin, room, {}, generations::v1).error().field, "volatile");
  EXPECT_EQ(realtime.unsubscribe(id, origin, room).error().field, "volatile");
  EXPECT_EQ(must(realtime.count(room)), 2U);
}

TEST_F(RealtimeTest, QueuedMembershipChangesAreBounded) {
  const Channel with_users = must(parse_channel("", "", "all"));
  const std::string room = subscribe("{}", with_users).room_id;
  EXPECT_EQ(notifications(), "");
  std::shared_ptr<RecordingSender> other;
  const ConnectionId id = connect(other);
  for (std::size_t i = 0; i <= limits::realtime_user_changes_max / 2; ++i) {
    must(realtime.join(id, {}, room, {}, generations::v1));
    must(realtime.unsubscribe(id, {}, room));
  }
  realtime.run();
  EXPECT_EQ(listener->take().size(), limits::realtime_user_changes_max);
  const NotificationOrigin origin{.volatile_data = Object{{"v", Value(std::string(60'000, 'v'))}}};
  const std::size_t some = limits::realtime_user_changes_bytes_max / 60'000 + 10;
  for (std::size_t i = 0; i < some; ++i) {
    must(realtime.join(id, origin, room, {}, generations::v1));
    must(realtime.unsubscribe(id, {}, room));
  }
  realtime.run();
  EXPECT_LT(listener->take().size(), 2 * some);
}

TEST_F(RealtimeTest, AnEventIsRenderedOnceForAllRooms) {
  std::size_t rendered = 0;
  const Facts facts = [&](const Document& document, const Generation& generation) {
    ++rendered;
    return core_facts(document, generation);
  };
  Realtime many(*world.database, {.facts = facts});
  const auto first = std::make_shared<RecordingSender>();
  const auto second = std::make_shared<RecordingSender>();
  constexpr std::size_t rooms = 3'000;
  for (const auto& [sender, generation] :
       {std::pair(first, &generations::v1), std::pair(second, &generations::v2)}) {
    const ConnectionId id = many.connect(sender);
    for (std::size_t i = 0; i < rooms; ++i) {
      const Value filter = must(parse_json(fmt::format(R"({{"not":{{"equals":{{"a":{}}}}}}})", i)));
      must(many.subscribe(id, {}, name, filter, {}, *generation));
    }
  }
  must(world.put(rows, "d1", R"({"b": 1})"));
  many.run();
  EXPECT_EQ(first->take().size(), rooms);
  EXPECT_EQ(second->take().size(), rooms);
  EXPECT_EQ(first->texts.size(), 1U);
  EXPECT_EQ(second->texts.size(), 1U);
  EXPECT_EQ(rendered, 3U) << "for the filters, and for each generation";
}

TEST_F(RealtimeTest, WhileFramesAreSentOthersMaySubscribe) {
  subscribe("{}");
  std::shared_ptr<RecordingSender> other;
  listener->when_sent = [&] {
    const ConnectionId id = connect(other);
    must(realtime.subscribe(id, {}, name, Value(Object()), {}, generations::v1));
  };
  must(world.put(rows, "d1", "{}"));
  EXPECT_EQ(notifications(), "create in d1 {}");
  EXPECT_EQ(realtime.subscriptions(), 2U);
}

TEST_F(RealtimeTest, AConnectionThatTakesNoMoreGetsNothingFurtherOfAnEvent) {
  for (int i = 0; i < 100; ++i) subscribe(fmt::format(R"({{"not":{{"equals":{{"a":{}}}}}}})", i));
  std::shared_ptr<RecordingSender> other;
  const ConnectionId id = connect(other);
  must(realtime.subscribe(id, {}, name, Value(Object()), {}, generations::v1));
  listener->frames_max = 3;
  must(realtime.publish({}, name, Value(Object())));
  realtime.run();
  EXPECT_EQ(listener->take().size(), 3U);
  EXPECT_EQ(other->take().size(), 1U);
}

TEST_F(RealtimeTest, OneEventSendsABoundedAmountToOneConnection) {
  for (int i = 0; i < 100; ++i) subscribe(fmt::format(R"({{"not":{{"equals":{{"a":{}}}}}}})", i));
  std::shared_ptr<RecordingSender> other;
  const ConnectionId id = connect(other);
  must(realtime.subscribe(id, {}, name, Value(Object()), {}, generations::v1));
  must(realtime.publish({}, name, Value(Object{{"b", Value(std::string(1'900'000, 'b'))}})));
  realtime.run();
  EXPECT_EQ(listener->given_up, 1);
  EXPECT_EQ(listener->take().size(), limits::realtime_event_bytes_max / 1'900'000);
  EXPECT_EQ(other->take().size(), 1U);
  EXPECT_EQ(other->given_up, 0);
}

}  // namespace
}  // namespace mayfly::kuzzle::realtime
