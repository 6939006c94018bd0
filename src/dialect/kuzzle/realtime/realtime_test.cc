// Rooms and their notifications.
#include "base/threads/no_wait.h"
#include "dialect/kuzzle/realtime/testing.h"

namespace mayfly::kuzzle::realtime {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ChangedFieldsPtr fields_of(std::vector<std::string> names, std::vector<std::string> paths) {
  return std::make_shared<const ChangedFields>(ChangedFields{std::move(names), std::move(paths)});
}

TEST_F(RealtimeTest, TheSameFilterIsTheSameRoom) {
  const Subscribed a = subscribe(R"({"equals": {"a": 1}})");
  const Subscribed b = subscribe(R"({"in": {"a": [1]}})");
  EXPECT_EQ(a.room_id, b.room_id);
  EXPECT_EQ(a.channel, b.channel);
  const Subscribed other = subscribe(R"({"equals": {"a": 1}})", must(parse_channel("", "in", "")));
  EXPECT_EQ(other.room_id, a.room_id);
  EXPECT_NE(other.channel, a.channel);
  EXPECT_THAT(a.channel, StartsWith(a.room_id + "-"));
  EXPECT_NE(subscribe(R"({"equals": {"a": 2}})").room_id, a.room_id);
  EXPECT_EQ(must(realtime.count(a.room_id)), 1U);
  EXPECT_EQ(realtime.subscriptions(), 3U);
}

TEST_F(RealtimeTest, WritesArePublishedToMatchingSubscriptions) {
  subscribe(R"({"equals": {"a": 1}})");
  must(world.put(rows, "d1", R"({"a": 1})"));
  must(world.put(rows, "d2", R"({"a": 2})"));
  EXPECT_EQ(notifications(), R"(create in d1 {"a":1})");
  must(world.put(rows, "d1", R"({"a": 1, "b": 2})"));
  must(world.put(rows, "d2", R"({"a": 1})"));
  EXPECT_EQ(notifications(), R"(update in d1 {"a":1,"b":2} | update in d2 {"a":1})");
  EXPECT_EQ(notifications(), "");
}

TEST_F(RealtimeTest, LeavingTheScopeIsPublished) {
  subscribe(R"({"equals": {"a": 1}})");
  must(world.put(rows, "d1", R"({"a": 1})"));
  must(world.put(rows, "d1", R"({"a": 2})"));
  must(world.put(rows, "d1", R"({"a": 3})"));
  EXPECT_EQ(notifications(), R"(create in d1 {"a":1} | update out d1)");
}

TEST_F(RealtimeTest, RemovalsArePublished) {
  subscribe(R"({"equals": {"a": 1}})");
  must(world.put(rows, "d1", R"({"a": 1})"));
  must(world.put(rows, "d2", R"({"a": 2})"));
  notifications();
  world.clock.advance(Span::seconds(1));
  must(world.remove(rows, "d1", {.author = "u9"}));
  must(world.remove(rows, "d2"));
  realtime.run();
  const auto frames = listener->take();
  ASSERT_EQ(frames.size(), 1U);
  const Value frame = must(parse_json(frames[0]));
  EXPECT_EQ(render_json(frame.member("result")),
            R"({"_meta":{"author":null,"createdAt":1000000,"updatedAt":null,"updater":"u9",)"
            R"("active":false,"deletedAt":1001000},"_id":"d1"})");
  EXPECT_EQ(frame.member("scope").text(), "out");
  EXPECT_EQ(frame.member("action").text(), "delete");
  must(world.restore(rows, "d1"));
  EXPECT_EQ(notifications(), R"(update in d1 {"a":1})");
  must(world.remove(rows, "d1", {.is_final = true}));
  EXPECT_EQ(notifications(), "delete out d1");
}

TEST_F(RealtimeTest, ExpirationsArePublishedOnlyIfRequested) {
  Realtime notifier(*world.database, {.notifies_expiry = true});
  std::shared_ptr<RecordingSender> other = std::make_shared<RecordingSender>();
  const ConnectionId id = notifier.connect(other);
  must(notifier.subscribe(id, {}, name, Value(nullptr), {}, generations::v1));
  subscribe("{}");
  world.change(rows, {.default_lifetime = Default(Never{})});
  must(world.put(rows, "d1", "{}", mayfly::testing::after(10)));
  notifier.run();
  EXPECT_EQ(notifications(), "create in d1 {}");
  EXPECT_EQ(notifications_to(other), "create in d1 {}");
  world.clock.advance(Span::seconds(20));
  world.sweep();
  notifier.run();
  EXPECT_EQ(notifications(), "");
  EXPECT_EQ(notifications_to(other), "expire out d1");
}

TEST_F(RealtimeTest, OnlyLaterEventsAreSentToASubscription) {
  must(world.put(rows, "d1", "{}"));
  subscribe("{}");
  must(world.put(rows, "d2", "{}"));
  std::shared_ptr<RecordingSender> late;
  const ConnectionId second = connect(late);
  must(realtime.subscribe(second, {}, name, Value(Object()), {}, generations::v1));
  must(world.put(rows, "d3", "{}"));
  EXPECT_EQ(notifications(), "create in d2 {} | create in d3 {}");
  EXPECT_EQ(notifications_to(late), "create in d3 {}");
}

TEST_F(RealtimeTest, ANotificationHasTheFormOfItsSubscriber) {
  const std::string channel = subscribe("{}").channel;
  std::shared_ptr<RecordingSender> newer;
  const ConnectionId second = connect(newer);
  must(realtime.subscribe(second, {}, name, Value(Object()), {}, generations::v2));
  NotificationOrigin origin{.request_id = "r1",
                            .volatile_data = must(parse_json(R"({"x": 1})")),
                            .action = "update",
                            .created_action = "create",
                            .protocol = "http"};
  auto writing = realtime.begin_write(origin, name, {{"d1", fields_of({"a"}, {"a"})}});
  writing.committed(must(world.put(rows, "d1", R"({"a": 1})", PutOptions{.author = "u1"})));
  realtime.run();
  EXPECT_THAT(
      listener->take(),
      ::testing::ElementsAre(
          R"({"status":200,"type":"document","requestId":"r1","timestamp":1000000,)"
          R"("volatile":{"x":1},"index":"test","collection":"rows","controller":"document",)"
          R"("action":"create","protocol":"http","scope":"in","state":"done","result":{)"
          R"("_meta":{"author":"u1","createdAt":1000000,"updatedAt":null,"updater":null,)"
          R"("active":true,"deletedAt":null},"_source":{"a":1},"_id":"d1"},"room":")" +
          channel + "\"}"));
  EXPECT_THAT(
      newer->take(),
      ::testing::ElementsAre(
          R"({"status":200,"type":"document","requestId":"r1","timestamp":1000000,)"
          R"("volatile":{"x":1},"index":"test","collection":"rows","controller":"document",)"
          R"("action":"create","protocol":"http","scope":"in","event":"write","node":"mayfly",)"
          R"("result":{"_source":{"a":1,"_kuzzle_info":{"author":"u1","createdAt":1000000,)"
          R"("updatedAt":null,"updater":null}},"_id":"d1"},"room":")" +
          channel + "\"}"));
}

TEST_F(RealtimeTest, AnUpdateNamesTheFieldsThatItChangesButToTheFirstVersion) {
  std::shared_ptr<RecordingSender> late, newest;
  subscribe("{}");
  must(realtime.subscribe(connect(late), {}, name, Value(Object()), {}, generations::v1_late));
  must(realtime.subscribe(connect(newest), {}, name, Value(Object()), {}, generations::v2));
  for (const char* body : {R"({"a": 1})", R"({"a": 2})"}) {
    auto writing = realtime.begin_write({.action = "update", .created_action = "create"}, name,
                                        {{"d1", fields_of({"a", "b"}, {"a", "b.c"})}});
    writing.committed(must(world.put(rows, "d1", body)));
  }
  realtime.run();
  const auto notifications_to = [](const std::shared_ptr<RecordingSender>& sender, std::size_t i) {
    const Value frame = must(parse_json(sender->take().at(i)));
    const Value fields = frame.member("result").member("_updatedFields");
    return fields.is_missing() ? "" : render_json(fields);
  };
  EXPECT_EQ(notifications_to(listener, 1), "");
  EXPECT_EQ(notifications_to(late, 1), R"(["a","b"])");
  EXPECT_EQ(notifications_to(newest, 1), R"(["a","b.c"])");
  must(world.remove(rows, "d1"));
  auto writing = realtime.begin_write({.action = "update", .created_action = "create"}, name,
                                      {{"d1", fields_of({"a"}, {"a"})}});
  writing.committed(must(world.put(rows, "d1", R"({"a": 1})")));
  realtime.run();
  EXPECT_EQ(notifications_to(newest, 1), "") << "nothing of a new document is an update";
}

TEST_F(RealtimeTest, VersionTwoShowsADocumentThatLeavesTheScope) {
  subscribe(R"({"equals": {"a": 1}})", {}, generations::v2);
  must(world.put(rows, "d1", R"({"a": 1})"));
  must(world.put(rows, "d1", R"({"a": 2})"));
  must(world.put(rows, "d1", R"({"a": 1})"));
  must(world.remove(rows, "d1"));
  realtime.run();
  const std::vector<std::string> frames = listener->take();
  ASSERT_EQ(frames.size(), 4U);
  for (const auto& [i, a] :
       {std::pair<std::size_t, int>(1, 2), std::pair<std::size_t, int>(3, 1)}) {
    const Value notification = must(parse_json(frames[i]));
    EXPECT_EQ(notification.member("scope").text(), "out");
    EXPECT_EQ(notification.member("result").member("_source").member("a").integer(), a);
    EXPECT_TRUE(
        notification.member("result").member("_source").member("_kuzzle_info").is(Kind::object));
    EXPECT_EQ(notification.member("result").member("_id").text(), "d1");
  }
}

TEST_F(RealtimeTest, NothingIsPublishedBeforeTheOriginIsKnown) {
  subscribe("{}");
  {
    auto writing = realtime.begin_write({.request_id = "r1", .action = "replace"}, name, {{"d1"}});
    const Instant at = must(world.put(rows, "d1", "{}"));
    must(world.put(rows, "d2", "{}"));
    EXPECT_EQ(notifications(), "");
    writing.committed(at);
    EXPECT_EQ(notifications(), "replace in d1 {} | create in d2 {}");
  }
  {
    auto writing = realtime.begin_write({.action = "replace"}, name, {{"d1"}});
    must(world.put(rows, "d1", R"({"n": 2})"));
    EXPECT_EQ(notifications(), "");
  }
  EXPECT_EQ(notifications(), R"(update in d1 {"n":2})") << "the other write was another user's";
  {
    auto writing = realtime.begin_write({.action = "truncate"}, name, {{"d1"}, {"d2"}});
    writing.suppress();
    const auto remove_all = [&](Transaction& t) -> Result<void> {
      TRY(t.remove(world.now(rows), DocumentKey::of("d1"), {}));
      return t.remove(world.now(rows), DocumentKey::of("d2"), {});
    };
    writing.committed(must(world.database->transact(remove_all)));
  }
  must(world.put(rows, "d3", "{}"));
  EXPECT_EQ(notifications(), "create in d3 {}");
}

TEST_F(RealtimeTest, OneCommitIsPublishedOnceForEachDocument) {
  subscribe("{}");
  must(world.put(rows, "d1", R"({"n": 1})"));
  must(world.remove(rows, "d1"));
  notifications();
  const auto revive = [&](Transaction& t) -> Result<void> {
    TRY(t.restore(world.now(rows), DocumentKey::of("d1"), {}));
    TRY(t.put(world.now(rows), DocumentKey::of("d1"), TRY(pack_json(R"({"n": 2})")), {}));
    TRY(t.put(world.now(rows), DocumentKey::of("d2"), TRY(pack_json("{}")), {}));
    return {};
  };
  must(world.database->transact(revive));
  const std::string text = notifications();
  EXPECT_THAT(text, HasSubstr(R"(update in d1 {"n":2})"));
  EXPECT_THAT(text, HasSubstr("create in d2 {}"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 1);
}

TEST_F(RealtimeTest, ChannelsChooseScopesAndStates) {
  const auto listen = [&](std::string_view state, std::string_view scope) {
    std::shared_ptr<RecordingSender> made;
    const ConnectionId id = connect(made);
    must(realtime.subscribe(id, {}, name, must(parse_json(R"({"equals": {"a": 1}})")),
                            must(parse_channel(state, scope, "")), generations::v1));
    return made;
  };
  const auto all = listen("all", "all");
  const auto done = listen("done", "");
  const auto pending = listen("pending", "");
  const auto in = listen("", "in");
  const auto out = listen("", "out");
  const auto none = listen("all", "none");
  const Value body = must(parse_json(R"({"a": 1})"));
  {  // an event loop leaves it to a thread that runs the request only once
    const NoWait loop;
    EXPECT_FALSE(realtime.pending({.action = "create"}, name, "d1", body));
    EXPECT_TRUE(loop.has_refused());
  }
  must(realtime.pending({.action = "create"}, name, "d1", body));
  must(world.put(rows, "d1", R"({"a": 1})"));
  must(world.put(rows, "d1", R"({"a": 2})"));
  realtime.run();
  const std::string before = R"(create unknown d1 {"a":1})";
  const std::string came = R"(create in d1 {"a":1})";
  EXPECT_EQ(notifications_to(all), before + " | " + came + " | update out d1");
  EXPECT_EQ(notifications_to(done), came + " | update out d1");
  EXPECT_EQ(notifications_to(pending), before);
  EXPECT_EQ(notifications_to(in), came);
  EXPECT_EQ(notifications_to(out), "update out d1");
  EXPECT_EQ(notifications_to(none), "");
  for (const std::string_view bad : {"some", "IN"}) {
    EXPECT_EQ(parse_channel("", bad, "").error().field, "scope");
    EXPECT_EQ(parse_channel(bad, "", "").error().field, "state");
    EXPECT_EQ(parse_channel("", "", bad).error().field, "users");
  }
}

TEST_F(RealtimeTest, PublicationsAreSentAndNotStored) {
  subscribe(R"({"exists": "a"})");
  realtime.publish({.controller = "realtime", .action = "publish"}, name,
                   must(parse_json(R"({"a": 1})")));
  realtime.publish({}, name, must(parse_json(R"({"b": 1})")));
  realtime.publish({}, {"test", "elsewhere"}, must(parse_json(R"({"a": 1})")));
  EXPECT_EQ(notifications(), R"(publish in null {"a":1})");
  EXPECT_EQ(world.list(rows), "");
}

TEST_F(RealtimeTest, OthersAreNotifiedOfUsersThatEnterAndLeave) {
  const Channel with_users = must(parse_channel("", "", "all"));
  const std::string room = subscribe("{}", with_users).room_id;
  std::shared_ptr<RecordingSender> other;
  const ConnectionId second = connect(other);
  must(realtime.subscribe(second, {}, name, Value(Object()), with_users, generations::v1));
  must(realtime.join(second, {}, room, {}, generations::v1));
  EXPECT_EQ(notifications(), R"(subscribe in {"count":2})")
      << "a second channel is no second coming";
  EXPECT_EQ(must(realtime.count(room)), 2U);
  must(realtime.unsubscribe(second, {}, room));
  EXPECT_EQ(notifications(), R"(unsubscribe out {"count":1})");
  must(realtime.join(second, {}, room, {}, generations::v1));
  realtime.disconnect(second);
  EXPECT_EQ(notifications(), R"(subscribe in {"count":2} | unsubscribe out {"count":1})");
  EXPECT_EQ(notifications_to(other), "");
}

TEST_F(RealtimeTest, RoomsAreRemovedWithTheirLastSubscriber) {
  const std::string room = subscribe(R"({"equals": {"a": 1}})").room_id;
  const std::string all = subscribe("{}").room_id;
  EXPECT_EQ(render_json(Value(realtime.list())).size(),
            render_json(must(parse_json(R"({"test": {"rows": {")" + room + R"(": 1, ")" + all +
                                        R"(": 1}}})")))
                .size());
  must(realtime.unsubscribe(connection, {}, room));
  EXPECT_EQ(render_json(Value(realtime.list())), R"({"test":{"rows":{")" + all + R"(":1}}})");
  EXPECT_EQ(realtime.unsubscribe(connection, {}, room).error().code, Code::not_found);
  EXPECT_EQ(realtime.unsubscribe(connection, {}, "nowhere").error().code, Code::not_found);
  EXPECT_EQ(realtime.count(room).error().code, Code::not_found);
  EXPECT_EQ(realtime.join(connection, {}, room, {}, generations::v1).error().code, Code::not_found);
  realtime.disconnect(connection);
  EXPECT_EQ(render_json(Value(realtime.list())), "{}");
  EXPECT_EQ(realtime.subscriptions(), 0U);
  must(world.put(rows, "d1", "{}"));
  EXPECT_EQ(notifications(), "");
  EXPECT_EQ(realtime.subscribe(connection, {}, name, Value(), {}, generations::v1).error().code,
            Code::not_found);
}

TEST_F(RealtimeTest, AnEndedSubscriptionGetsTheReasonAndLeavesTheRoom) {
  const Subscribed subscribed = subscribe("{}");
  const std::string channel = subscribed.channel;
  realtime.end(connection, subscribed.room_id, render_token_expired());
  const auto frames = listener->take();
  ASSERT_EQ(frames.size(), 1U);
  const Value frame = must(parse_json(frames[0]));
  EXPECT_EQ(frame.member("type").text(), "TokenExpired");
  EXPECT_EQ(frame.member("room").text(), channel);
  must(world.put(rows, "d1", "{}"));
  EXPECT_EQ(notifications(), "");
  subscribe("{}");
  must(world.put(rows, "d2", "{}"));
  EXPECT_EQ(notifications(), "create in d2 {}") << "the connection goes on";
}

TEST_F(RealtimeTest, AFilterThatTakesTooLongEndsItsSubscriptionsWithAReason) {
  // Each character leads to another set of states, so that the pattern is matched the slow way.
  std::string text;
  for (std::uint32_t i = 0, chance = 1; i < 60'000; ++i) {
    chance = chance * 1'664'525 + 1'013'904'223;
    text += static_cast<char>('a' + (chance >> 24) % 3);
  }
  const std::string channel = subscribe(R"({"not":{"regexp":{"t":"[b-c](.{50})[b-c](.{50})d"}}})",
                                        must(parse_channel("all", "", "")))
                                  .channel;
  std::shared_ptr<RecordingSender> other;
  const ConnectionId id = connect(other);
  must(realtime.subscribe(id, {}, name, must(parse_json("{}")), {}, generations::v1));
  must(realtime.pending({.action = "create"}, name, "d1", Value(Object{{"t", Value(text)}})));
  EXPECT_TRUE(listener->take().empty()) << "a filter was asked by the thread that writes";
  must(world.put(rows, "d1", render_json(Value(Object{{"t", Value(text)}}))));
  realtime.run();
  const auto frames = listener->take();
  ASSERT_EQ(frames.size(), 1U);
  const Value frame = must(parse_json(frames[0]));
  EXPECT_EQ(frame.member("type").text(), "SubscriptionEnded");
  EXPECT_EQ(frame.member("status").integer(), 413);
  EXPECT_EQ(frame.member("room").text(), channel);
  EXPECT_EQ(other->take().size(), 1U) << "the others go on";
  must(world.put(rows, "d2", R"({"t":"x"})"));
  EXPECT_EQ(notifications(), "");
  EXPECT_EQ(notifications_to(other), R"(create in d2 {"t":"x"})");
  EXPECT_EQ(realtime.subscriptions(), 1U);
}

TEST_F(RealtimeTest, ManyFiltersThatTakeLongTogetherEndWhileTheThreadIsBusy) {
  std::string text;
  for (std::uint32_t i = 0, chance = 1; i < 60'000; ++i) {
    chance = chance * 1'664'525 + 1'013'904'223;
    text += static_cast<char>('a' + (chance >> 24) % 3);
  }
  // None of them takes too long for one document.
  std::vector<std::shared_ptr<RecordingSender>> costly(20);
  for (std::size_t n = 0; n < costly.size(); ++n) {
    const std::string filter =
        fmt::format(R"({{"not":{{"regexp":{{"t":"[b-c](.{{4}})d{}"}}}}}})", n);
    const ConnectionId id = connect(costly[n]);
    must(realtime.subscribe(id, {}, name, must(parse_json(filter)), {}, generations::v1));
  }
  std::shared_ptr<RecordingSender> other;
  const ConnectionId id = connect(other);
  must(realtime.subscribe(id, {}, name, must(parse_json("{}")), {}, generations::v1));
  // The test's thread is never idle.
  std::size_t documents = 0;
  for (; documents < 20'000 && realtime.subscriptions() > 1; ++documents) {
    must(realtime.publish({}, name, Value(Object{{"t", Value(text)}})));
    realtime.run();
  }
  EXPECT_EQ(realtime.subscriptions(), 1U);
  for (const auto& listener_of_one : costly) {
    const auto frames = listener_of_one->take();
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ(must(parse_json(frames.back())).member("type").text(), "SubscriptionEnded");
  }
  EXPECT_EQ(other->take().size(), documents) << "the others go on";
}

TEST_F(RealtimeTest, TheRegularExpressionsOfOneConnectionAreBounded) {
  const auto filter = [](int n) {
    return fmt::format(R"({{"regexp":{{"t":"(a|b)*(.{{60}})[b-c]x{:05}$"}}}})", n);
  };
  std::vector<Subscribed> taken;
  int number = 0;
  while (true) {
    ASSERT_LT(taken.size(), 1'000U);
    auto one = realtime.subscribe(connection, {}, name, must(parse_json(filter(number++))), {},
                                  generations::v1);
    if (!one) {
      EXPECT_EQ(one.error().code, Code::too_large);
      break;
    }
    taken.push_back(*one);
  }
  ASSERT_FALSE(taken.empty());
  // What it leaves makes room; others have their own quotas until everything is used.
  must(realtime.unsubscribe(connection, {}, taken.back().room_id));
  subscribe(filter(0));
  subscribe(filter(-1));
  const std::size_t connections =
      limits::realtime_pattern_steps_max / limits::realtime_connection_pattern_steps_max;
  int refused = 0;
  for (std::size_t n = 0; n <= connections; ++n) {
    std::shared_ptr<RecordingSender> other;
    const ConnectionId id = connect(other);
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const auto one = realtime.subscribe(id, {.client = std::to_string(n)}, name,
                                          must(parse_json(filter(number++))), {}, generations::v1);
      EXPECT_TRUE(one.has_value() || n + 1 >= connections) << n;
      refused += one.has_value() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(RealtimeTest, QueuedPublicationsAreBounded) {
  subscribe("{}");
  for (std::size_t i = 0; i < limits::realtime_transient_max; ++i) {
    must(realtime.publish({}, name, Value(Object())));
  }
  EXPECT_EQ(realtime.publish({}, name, Value(Object())).error().code, Code::throttled);
  realtime.run();
  EXPECT_EQ(listener->take().size(), limits::realtime_transient_max);
  // The data that it carries counts as well.
  const NotificationOrigin origin{.volatile_data =
                                      Object{{"v", Value(std::string(10 << 20, 'v'))}}};
  std::size_t taken = 0;
  while (taken < 10 && realtime.publish(origin, name, Value(Object()))) ++taken;
  EXPECT_EQ(taken, limits::realtime_transient_bytes_max / (10 << 20));
}

TEST_F(RealtimeTest, ACollectionMayBeCreatedAfterItsSubscriptions) {
  const CollectionName later{"test", "later"};
  must(realtime.subscribe(connection, {}, later, Value(Object()), {}, generations::v1));
  EXPECT_EQ(notifications(), "");
  const CollectionPtr made = world.collection("later", policy());
  must(world.put(made, "d1", "{}"));
  EXPECT_EQ(notifications(), "create in d1 {}");
  must(world.database->drop_collection(made->id));
  EXPECT_EQ(notifications(), "");
  const CollectionPtr again = world.collection("later", policy());
  must(world.put(again, "d2", "{}"));
  EXPECT_EQ(notifications(), "create in d2 {}");
}

TEST_F(RealtimeTest, ACollectionWithoutAFeedSendsNoNotifications) {
  const CollectionPtr mute = world.collection("mute");
  const CollectionName mute_name{"test", "mute"};
  must(realtime.subscribe(connection, {}, mute_name, Value(Object()), {}, generations::v1));
  auto writing = realtime.begin_write({.action = "create"}, mute_name, {{"d1"}});
  writing.committed(must(world.put(mute, "d1", "{}")));
  EXPECT_EQ(notifications(), "");
}

TEST_F(RealtimeTest, ManyWritesArePublishedInOrder) {
  subscribe(R"({"range": {"n": {"gte": 500}}})");
  std::string expected;
  for (int i = 0; i < 600; ++i) {
    const std::string n = std::to_string(i);
    must(world.put(rows, "d" + n, R"({"n": )" + n + "}"));
    if (i >= 500) {
      expected += (expected.empty() ? "" : " | ");
      expected += "create in d" + n + R"( {"n":)" + n + "}";
    }
  }
  EXPECT_EQ(notifications(), expected);
}

TEST_F(RealtimeTest, BoundsAreHeld) {
  for (std::size_t i = 0; i < limits::realtime_connection_rooms_max; ++i) {
    subscribe(R"({"equals": {"n": )" + std::to_string(i) + "}}");
  }
  const auto more = realtime.subscribe(connection, {}, name, Value(Object()), {}, generations::v1);
  EXPECT_EQ(more.error().code, Code::too_large);
  EXPECT_EQ(realtime.subscriptions(), limits::realtime_connection_rooms_max);
  EXPECT_EQ(realtime.list().begin()->second.object().begin()->second.object().size(),
            limits::realtime_connection_rooms_max);
}

TEST_F(RealtimeTest, FiltersTakeABoundedMemory) {
  const std::string pad(16'000, 'x');
  std::size_t made = 0;
  Result<Subscribed> last = fail(Code::internal, "");
  // As many as fit, for one client after the other.
  const auto fill = [&](const std::string& client) {
    for (const std::size_t before = made; made < before + 5'000; ++made) {
      const Value asked = Object{{"equals", Object{{"a" + std::to_string(made), Value(pad)}}}};
      last = realtime.subscribe(connection, {.client = client}, name, asked, {}, generations::v1);
      if (!last) break;
    }
    EXPECT_EQ(last.error().code, Code::too_large);
  };
  const std::size_t share = limits::realtime_client_filter_bytes_max / (pad.size() + 100);
  for (const char* client : {"a", "b", "c", "d"}) {
    const std::size_t before = made;
    fill(client);
    EXPECT_GE(made - before, share) << client;
  }
  const std::size_t all = made;
  fill("e");
  EXPECT_LE(made, all + 2);  // the rest of the others' last filters
  realtime.disconnect(connection);
  connection = connect(listener);
  subscribe(R"({"equals": {"a": ")" + pad + "\"}}");
}

TEST_F(RealtimeTest, ItsJobSendsNotifications) {
  world.database->jobs().start(JobLane::events);
  Realtime own(*world.database);
  const auto other = std::make_shared<RecordingSender>();
  const ConnectionId id = own.connect(other);
  must(own.subscribe(id, {}, name, Value(Object()), {}, generations::v1));
  auto writing = own.begin_write({.action = "create"}, name, {{"d1"}});
  writing.committed(must(world.put(rows, "d1", "{}")));
  EXPECT_TRUE(other->waits_for_frames(1));
  must(world.put(rows, "d2", "{}"));
  EXPECT_TRUE(other->waits_for_frames(2));
  EXPECT_EQ(notifications_to(other), "create in d1 {} | create in d2 {}");
}

}  // namespace
}  // namespace mayfly::kuzzle::realtime
