// An answer follows the notifications of its own request's writes.
#include "dialect/kuzzle/realtime/delivery/held_answers.h"

#include "dialect/kuzzle/realtime/testing.h"

namespace mayfly::kuzzle::realtime {
namespace {

class HeldAnswersTest : public RealtimeTest {
 protected:
  // Writes for the connection, and holds the answer if it must wait.
  bool write_and_answer(const std::string& id, const std::string& answer) {
    auto writing =
        realtime.begin_write({.action = "create", .connection = connection}, name, {{id}});
    writing.committed(must(world.put(rows, id, "{}")));
    return hold(answer);
  }
  bool hold(const std::string& answer, std::size_t bytes = 1) {
    return realtime.hold_answer(connection, bytes, [this, answer] {
      sent +=
          (sent.empty() ? "" : " ") + answer + " behind " + std::to_string(listener->take().size());
    });
  }
  std::string sent;
};

TEST_F(HeldAnswersTest, AnAnswerWaitsForTheNotificationOfItsOwnRequest) {
  subscribe("{}");
  EXPECT_TRUE(write_and_answer("d1", "first"));
  EXPECT_TRUE(hold("second")) << "answers keep their order";
  EXPECT_EQ(sent, "");
  realtime.run();
  EXPECT_EQ(sent, "first behind 1 second behind 0");
  EXPECT_FALSE(hold("third"));
}

TEST_F(HeldAnswersTest, EventsThatNoFilterMatchesReleaseTheAnswer) {
  subscribe(R"({"equals":{"a":1}})");
  EXPECT_TRUE(write_and_answer("d1", "answer"));
  realtime.run();
  EXPECT_EQ(sent, "answer behind 0");
}

TEST_F(HeldAnswersTest, OtherAnswersDoNotWait) {
  EXPECT_FALSE(write_and_answer("d1", "answer")) << "it is in no room";
  std::shared_ptr<RecordingSender> other;
  const ConnectionId elsewhere = connect(other);
  must(realtime.subscribe(elsewhere, {}, name, Value(Object()), {}, generations::v1));
  EXPECT_FALSE(write_and_answer("d2", "answer")) << "another one is";
  subscribe("{}");
  auto silent =
      realtime.begin_write({.action = "create", .connection = connection}, name, {{"d3"}});
  silent.suppress();
  silent.committed(must(world.put(rows, "d3", "{}")));
  EXPECT_FALSE(hold("answer")) << "no notification is sent";
  {
    auto refused =
        realtime.begin_write({.action = "create", .connection = connection}, name, {{"d4"}});
  }
  EXPECT_FALSE(hold("answer")) << "nothing was written";
  auto empty = realtime.begin_write({.action = "create", .connection = connection}, name, {{"d5"}});
  empty.committed(must(world.database->transact([&](Transaction& transaction) -> Result<void> {
    (void)must(transaction.view().get(*rows, DocumentKey::of("d5"), transaction.view().live()));
    return {};
  })));
  EXPECT_FALSE(hold("answer")) << "nothing was committed";
}

TEST_F(HeldAnswersTest, APublicationComesBeforeItsAnswer) {
  subscribe("{}");
  must(realtime.publish({.connection = connection}, name, Value(Object())));
  EXPECT_TRUE(hold("answer"));
  realtime.run();
  EXPECT_EQ(sent, "answer behind 1");
}

TEST_F(HeldAnswersTest, AnAnswerDoesNotWaitForAnotherPendingWrite) {
  subscribe("{}");
  auto other = realtime.begin_write({.action = "create"}, name, {{"d1"}});
  must(world.put(rows, "d1", "{}"));  // perhaps by that one
  EXPECT_TRUE(write_and_answer("d2", "answer"));
  realtime.run();
  EXPECT_EQ(sent, "answer behind 0");
}

TEST_F(HeldAnswersTest, AnAnswerLeavesWithTheSubscriptionThatItWaitedFor) {
  const Subscribed subscribed = subscribe("{}");
  EXPECT_TRUE(write_and_answer("d1", "answer"));
  must(realtime.unsubscribe(connection, {}, subscribed.room_id));
  realtime.run();
  EXPECT_EQ(sent, "answer behind 0");
}

TEST_F(HeldAnswersTest, NotMoreThanABoundOfThemIsHeld) {
  subscribe("{}");
  EXPECT_TRUE(write_and_answer("d1", "0"));
  for (std::size_t i = 1; i < limits::realtime_answers_held_max; ++i) EXPECT_TRUE(hold("."));
  EXPECT_EQ(sent, "");
  EXPECT_FALSE(hold("one too many")) << "it leaves behind those that were held";
  EXPECT_EQ(sent.substr(0, 13), "0 behind 0 . ");
}

TEST(HeldAnswersTimeTest, OneConnectionLeavesRoomForTheAnswersOfOthers) {
  HeldAnswers held;
  const Instant noon = Instant::from_seconds(1'000);
  std::vector<ConnectionId> sent;
  const auto hold = [&](ConnectionId connection, std::size_t bytes) {
    held.wrote(connection, {"i", "c"}, noon);
    return held.hold(connection, bytes, noon, [&sent, connection] { sent.push_back(connection); });
  };
  constexpr std::size_t most = limits::realtime_connection_answers_held_bytes_max;
  EXPECT_TRUE(hold(1, most));
  EXPECT_FALSE(hold(1, 1)) << "what was held goes before it";
  EXPECT_EQ(sent, std::vector<ConnectionId>{1});
  const std::size_t connections = limits::realtime_answers_held_bytes_max / most;
  for (ConnectionId other = 2; other < 2 + connections; ++other) EXPECT_TRUE(hold(other, most));
  EXPECT_FALSE(hold(1, 1)) << "the room of all is taken";
  held.forget(2);
  EXPECT_TRUE(hold(1, most));
}

TEST_F(HeldAnswersTest, AClosedConnectionGetsNoAnswer) {
  subscribe("{}");
  EXPECT_TRUE(write_and_answer("d1", "answer"));
  realtime.disconnect(connection);
  realtime.run();
  EXPECT_EQ(sent, "");
}

TEST(HeldAnswersTimeTest, AnAnswerIsNotHeldBeyondItsTime) {
  HeldAnswers held;
  int sent = 0;
  const Instant noon = Instant::from_seconds(1'000);
  held.wrote(1, {"i", "c"}, noon);
  EXPECT_TRUE(held.hold(1, 1, noon, [&] { ++sent; }));
  held.release_overdue(noon + limits::realtime_answer_held_for - Span{1});
  EXPECT_EQ(sent, 0);
  held.release_overdue(noon + limits::realtime_answer_held_for);
  EXPECT_EQ(sent, 1);
  EXPECT_FALSE(held.holds(1));
}

TEST(HeldAnswersTimeTest, ALaterCommitIsWaitedForToo) {
  HeldAnswers held;
  int sent = 0;
  const Instant noon = Instant::from_seconds(1'000);
  held.wrote(1, {"i", "c"}, noon);
  held.wrote(1, {"i", "c"}, noon + Span{5});
  held.wrote(1, {"i", "d"}, noon);
  EXPECT_TRUE(held.hold(1, 1, noon, [&] { ++sent; }));
  held.notified({"i", "c"}, noon + Span{4});
  held.notified({"i", "d"}, noon);
  EXPECT_EQ(sent, 0);
  held.notified({"i", "c"}, noon + Span{5});
  EXPECT_EQ(sent, 1);
}

}  // namespace
}  // namespace mayfly::kuzzle::realtime
