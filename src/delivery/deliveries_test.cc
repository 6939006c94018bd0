// The engine: which messages arrive, in which order, how often, and what happens to those that the
// target does not take.
#include "delivery/deliveries.h"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "db/jobs/leases.h"
#include "delivery/rows/origin.h"
#include "delivery/testing.h"

namespace mayfly::delivery {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): helpers of these tests

using Kind = AttemptOutcome::Kind;

class DeliveriesTest : public ::testing::Test, public DeliveryWorld {
 protected:
  void SetUp() override { c = world.collection("c", with_feed); }
  void write(const std::string& id, const std::string& json = "{}") {
    must(world.put(c, id, json));
  }
  SubscriptionState state(const Subscription& one) { return engine->state(one.id).value(); }

  CollectionPtr c;
};

TEST_F(DeliveriesTest, EachEventIsSentOnceEvenAfterARestart) {
  write("before");
  const Subscription all = subscription();
  put(all);
  run();
  write("a");
  write("b");
  write("a", R"({"n":1})");
  run();
  EXPECT_EQ(sent(), "created:a created:b replaced:a");
  EXPECT_EQ(state(all).progress.delivered, 3);
  EXPECT_EQ(state(all).waiting, 0U);
  start();
  run();
  EXPECT_EQ(sent(), "");
  write("c");
  run();
  EXPECT_EQ(sent(), "created:c");
}

TEST_F(DeliveriesTest, OfTwoServersOnOneStoreTheOneWithTheLeaseDelivers) {
  Database& database = *world.database;
  Leases first(database, "first");
  Leases second(database, "second");
  database.jobs().share(first);
  Jobs other_jobs([&] { return database.now(); }, true);
  other_jobs.share(second);
  const auto other_target = std::make_shared<FakeTarget::Shared>();
  const auto other = make_engine(other_jobs, other_target);
  const auto run_other = [&] {
    database.feed().flush();  // wakes both engines
    for (int i = 0; i < 100 && other_jobs.run_due() > 0; ++i) {
    }
  };
  put(subscription());
  run();
  write("a");
  target->answer = [](const SentMessage&) {
    return std::nullopt;
  };  // the attempt at "b" has no end yet
  write("b");
  run();
  run_other();
  EXPECT_EQ(sent(), "created:a created:b");
  EXPECT_TRUE(other_target->sent.empty());
  world.clock.advance(Span::seconds(60));  // the first server stands still
  run_other();
  ASSERT_EQ(other_target->sent.size(), 2U) << "what no answer was written down for is sent again";
  other_target->sent.clear();
  write("c");
  run_other();
  ASSERT_EQ(other_target->sent.size(), 1U);
  EXPECT_EQ(other_target->sent[0].payload, "created:c");
  // The first one goes on, and hears that its attempts have failed.
  for (Target::Done& done : std::exchange(target->in_flight, {})) done({.kind = Kind::refused});
  run();
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(dead_letters().empty()) << "it may write nothing any more";
  // Back again: it reads what the other has written.
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  world.clock.advance(Span::seconds(60));
  write("d");
  run();
  EXPECT_EQ(sent(), "created:d");
}

TEST_F(DeliveriesTest, AnExpirationIsSentAtItsInstant) {
  Subscription deaths = subscription();
  deaths.kinds = {Event::Kind::expired};
  put(deaths);
  run();
  must(world.put(c, "a", "{}", At{second(1'000 + 60 * 86'400)}));
  run();
  advance(60 * 86'400 - 1);
  world.sweep();
  run();
  EXPECT_EQ(sent(), "");
  advance(2);
  world.sweep();
  run();
  EXPECT_EQ(sent(), "expired:a");
}

TEST_F(DeliveriesTest, AnAttemptThatACrashInterruptsIsRepeatedWithTheSameId) {
  put(subscription());
  run();
  target->answer = [](const SentMessage&) { return std::nullopt; };
  write("a");
  run();
  ASSERT_EQ(target->sent.size(), 1U);
  const std::string id = target->sent[0].id;
  start();
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  run();
  ASSERT_EQ(target->sent.size(), 2U);
  EXPECT_EQ(target->sent[1].id, id);
  // The end of an attempt from before the crash is ignored.
  for (const auto& done : target->in_flight) done({});
  run();
  EXPECT_EQ(target->sent.size(), 2U);
}

TEST_F(DeliveriesTest, WhatWasTakenBehindAMessageThatIsTriedAgainIsSentOnce) {
  Subscription all = subscription();
  put(all);
  run();
  target->answer = [](const SentMessage& sent) {
    return sent.payload.ends_with("bad") ? AttemptOutcome{Kind::refused, "no"} : AttemptOutcome{};
  };
  write("a");
  write("bad");
  write("b");
  write("bad");
  write("c");
  run();
  EXPECT_EQ(sent(), "created:a created:bad created:b created:c");
  start();
  run();
  EXPECT_EQ(sent(), "created:bad");
  write("d");
  run();
  EXPECT_EQ(sent(), "created:d");
  // As when the subscription is changed.
  put(all);
  run();
  EXPECT_EQ(sent(), "created:bad");
  start();
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  run();
  EXPECT_EQ(sent(), "created:bad replaced:bad");
  start();
  run();
  EXPECT_EQ(sent(), "");
}

// Otherwise the older attempt could arrive after a newer message of its document.
TEST_F(DeliveriesTest, AChangedSubscriptionWaitsForAttemptsInFlight) {
  Subscription all = subscription();
  put(all);
  run();
  target->answer = [](const SentMessage&) { return std::nullopt; };
  write("a");
  run();
  EXPECT_EQ(sent(), "created:a");
  for (int i = 1; i <= 2; ++i) {
    all.is_paused = i == 1;
    put(all);
    run();
    EXPECT_EQ(sent(), "");
  }
  for (const auto& done : target->in_flight) done({});
  run();
  EXPECT_EQ(sent(), "created:a");
}

TEST_F(DeliveriesTest, ARefusedMessageDelaysOnlyItsDocumentAndBecomesADeadLetter) {
  Subscription all = subscription();
  all.attempts_max = 3;
  put(all);
  run();
  target->answer = [](const SentMessage& sent) {
    return sent.payload == "created:bad" ? AttemptOutcome{Kind::refused, "it answered with 400"}
                                         : AttemptOutcome{};
  };
  write("bad");
  write("bad", R"({"n":1})");
  write("good");
  run();
  EXPECT_EQ(sent(), "created:bad created:good");
  EXPECT_EQ(state(all).progress.last_error, "it answered with 400");
  advance(2);
  EXPECT_EQ(sent(), "created:bad");
  EXPECT_TRUE(dead_letters().empty());
  advance(4);
  EXPECT_EQ(sent(), "created:bad replaced:bad");
  ASSERT_EQ(dead_letters().size(), 1U);
  EXPECT_EQ(dead_letters()[0].attempts, 3);
  EXPECT_EQ(dead_letters()[0].error, "it answered with 400");
  EXPECT_EQ(dead_letters()[0].message.payload, "created:bad");
  EXPECT_EQ(state(all).progress.dead, 1);
}

// Quotes take more bytes in a stored row than in a message.
TEST_F(DeliveriesTest, ADeadLetterFitsInARow) {
  engine->add_format(
      {.name = "quotes",
       .event_name = [](Event::Kind kind) { return name_of(kind); },
       .render = [](const MessageParts& parts, std::string& payload) -> Result<void> {
         const std::size_t bytes = parts.images == nullptr ? 10 : 1'040'000;
         payload = std::string(bytes, '"');
         return {};
       }});

  Subscription all = subscription();
  all.format = "quotes";
  all.attempts_max = 1;
  put(all);
  run();
  target->answer = [](const SentMessage&) { return AttemptOutcome{Kind::refused, "no"}; };
  write("a");
  run();
  ASSERT_EQ(dead_letters().size(), 1U);
  EXPECT_EQ(dead_letters()[0].message.payload.size(), 10U);
}

TEST_F(DeliveriesTest, ADeadLetterCanBeSentAgain) {
  Subscription all = subscription();
  all.attempts_max = 1;
  put(all);
  run();
  target->answer = [](const SentMessage&) { return AttemptOutcome{Kind::refused, "no"}; };
  write("a");
  run();
  ASSERT_EQ(dead_letters().size(), 1U);
  const auto send_again = [&] {
    const DeadLetter letter = dead_letters().at(0);
    const Deliveries::SubscriptionChange held(*engine, world.place);
    must(world.database->transact([&](Transaction& t) -> Result<void> {
      const Catalog& catalog = t.view().catalog();
      TRY(PrivateTable<DeadLetter>::find(catalog, world.place, DeadLetter::again)
              .put(t, letter.key(), letter));
      return PrivateTable<DeadLetter>::find(catalog, world.place).remove(t, letter.key());
    }));
  };
  sent();
  send_again();
  run();
  EXPECT_EQ(sent(), "created:a");
  EXPECT_EQ(dead_letters().size(), 1U);  // it was given up again
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  send_again();
  run();
  EXPECT_EQ(sent(), "created:a");
  EXPECT_TRUE(dead_letters().empty());
  start();
  run();
  EXPECT_EQ(sent(), "");
}

TEST_F(DeliveriesTest, ATargetThatIsAwayIsTriedAtIntervalsAndLosesNothing) {
  Subscription all = subscription();
  all.attempts_max = 2;
  put(all);
  run();
  target->answer = [](const SentMessage&) { return AttemptOutcome{Kind::away, "nothing answers"}; };
  target->at_once = 1;
  for (int i = 0; i < 20; ++i) write("d" + std::to_string(i));
  run();
  EXPECT_EQ(target->sent.size(), 1U);
  for (int minute = 0; minute < 24 * 60; ++minute) advance(60);
  EXPECT_LT(target->sent.size(), 60U);
  EXPECT_TRUE(dead_letters().empty());
  EXPECT_EQ(state(all).waiting, 20U);
  sent();
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  advance(2 * 3'600);
  advance(2 * 3'600);
  EXPECT_EQ(target->sent.size(), 20U);
  EXPECT_EQ(state(all).progress.delivered, 20);
}

TEST_F(DeliveriesTest, AnInterruptedAttemptDoesNotCount) {
  Subscription all = subscription();
  all.attempts_max = 1;
  put(all);
  run();
  int broken = 0;
  target->answer = [&](const SentMessage& sent) {
    const bool breaks = sent.payload != "created:good" && ++broken < 50;
    return breaks ? AttemptOutcome{Kind::interrupted, "the connection broke"} : AttemptOutcome{};
  };
  write("a");
  write("good");
  write("b");
  for (int i = 0; i < 60; ++i) advance(10);
  EXPECT_EQ(state(all).progress.delivered, 3);
  EXPECT_EQ(state(all).progress.dead, 0);
  EXPECT_EQ(target->sent.back().attempt, 1);
}

TEST_F(DeliveriesTest, ATargetThatIsAwayDoesNotCountAgainstAFirstAttempt) {
  Subscription all = subscription();
  all.attempts_max = 1;
  put(all);
  run();
  write("a");
  run();
  target->answer = [](const SentMessage&) { return AttemptOutcome{Kind::away, "nothing answers"}; };
  write("b");
  write("c");
  for (int i = 0; i < 5; ++i) advance(7'200);
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  advance(7'200);
  EXPECT_EQ(state(all).progress.delivered, 3);
  EXPECT_EQ(state(all).progress.dead, 0);
}

TEST_F(DeliveriesTest, AMessageThatMakesATargetFailIsGivenUpOnceOthersAreTaken) {
  Subscription all = subscription();
  all.attempts_max = 3;
  put(all);
  run();
  target->answer = [](const SentMessage& sent) {
    return sent.payload == "created:bad" ? AttemptOutcome{Kind::away, "it answered with 500"}
                                         : AttemptOutcome{};
  };
  write("bad");
  run();
  for (int i = 0; i < 5; ++i) {
    write("good" + std::to_string(i));
    advance(3'600);
    advance(3'600);
  }
  EXPECT_EQ(dead_letters().size(), 1U);
  EXPECT_EQ(state(all).progress.delivered, 5);
}

TEST_F(DeliveriesTest, MessagesAreBatchedAndARefusedOneIsSentAloneAfterwards) {
  const Subscription all = subscription();
  put(all);
  run();
  target->batch_max = 3;
  for (const char* id : {"a", "b", "bad", "d", "e"}) write(id);
  write("a", R"({"n":1})");  // after the other message of its document
  target->answer = [](const SentMessage& one) {
    const bool is_bad = one.payload.find("bad") != std::string::npos;
    return is_bad ? AttemptOutcome{Kind::refused, "no"} : AttemptOutcome{};
  };
  run();
  EXPECT_EQ(sent(), "created:a+created:b+created:bad created:d+created:e");
  advance(2);
  EXPECT_EQ(sent(), "created:a created:b created:bad replaced:a");
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  advance(10);
  EXPECT_EQ(sent(), "created:bad");
  EXPECT_EQ(state(all).progress.delivered, 6);
  EXPECT_EQ(state(all).under_way, 0U);
}

TEST_F(DeliveriesTest, AMessageThatMakesATargetFailDoesNotBlockItsBatch) {
  Subscription all = subscription();
  all.attempts_max = 3;
  put(all);
  run();
  target->batch_max = 3;
  target->answer = [](const SentMessage& one) {
    const bool is_bad = one.payload.find("bad") != std::string::npos;
    return is_bad ? AttemptOutcome{Kind::away, "it answered with 500"} : AttemptOutcome{};
  };
  for (const char* id : {"bad", "b", "c"}) write(id);
  for (int i = 0; i < 20; ++i) advance(7'200);
  EXPECT_EQ(state(all).progress.delivered, 2);
  for (int i = 0; i < 5; ++i) {
    write("d" + std::to_string(i));
    for (int n = 0; n < 20; ++n) advance(7'200);
  }
  EXPECT_EQ(state(all).progress.delivered, 7);
  EXPECT_EQ(state(all).progress.dead, 1);
}

TEST_F(DeliveriesTest, ASlowTargetDelaysNoOther) {
  put(subscription());
  Subscription other = subscription();
  other.kinds = {Event::Kind::created};
  put(other);
  run();
  int asked = 0;
  target->answer = [&asked](const SentMessage&) -> std::optional<AttemptOutcome> {
    if (++asked % 2 == 1) return std::nullopt;
    return AttemptOutcome{};
  };
  for (int i = 0; i < 50; ++i) {
    write("d" + std::to_string(i));
    run();
  }
  EXPECT_EQ(
      std::max(state(other).progress.delivered, std::int64_t{0}) > 0 || target->sent.size() > 50,
      true);
}

// The feed keeps events that are still to be sent, even if the clock leaps or the server restarts.
TEST_F(DeliveriesTest, TheSubscriptionsOfADatabaseShareItsCalls) {
  for (int i = 0; i < 3; ++i) put(subscription());
  run();
  target->at_once_of_database = 2;
  target->answer = [](const SentMessage&) { return std::nullopt; };
  for (const char* id : {"a", "b"}) write(id);
  run();
  EXPECT_EQ(target->sent.size(), 2U);
  for (std::size_t n = 0; n < 6; ++n) {
    ASSERT_GT(target->in_flight.size(), n);
    target->in_flight[n]({});
    run();
    EXPECT_EQ(target->sent.size(), std::min<std::size_t>(n + 3, 6));
  }
}

TEST_F(DeliveriesTest, EventsThatAreNotSentYetStayInTheFeed) {
  c = world.collection("short", {.keep_history_for = Span::seconds(100'000'000),
                                 .keep_feed_for = Span::seconds(100)});
  const Subscription all = subscription();
  put(all);
  target->closed = "it is not there";
  write("a");
  advance(60 * 86'400);
  world.compact();
  start();
  run();
  advance(60 * 86'400);
  world.compact();
  target->closed.reset();
  run();
  EXPECT_EQ(sent(), "created:a");
  EXPECT_FALSE(state(all).progress.has_gap);
}

// The position lies within the commit.
TEST_F(DeliveriesTest, EventsOfAPartlySentCommitStayInTheFeed) {
  c = world.collection("short", {.keep_history_for = Span::seconds(100'000'000),
                                 .keep_feed_for = Span::seconds(100)});
  const Subscription all = subscription();
  put(all);
  target->answer = [](const SentMessage& one) {
    const bool is_first = one.payload == "created:a";
    return is_first ? AttemptOutcome{} : AttemptOutcome{Kind::interrupted, "the connection broke"};
  };
  must(world.database->transact([&](Transaction& t) -> Result<void> {
    for (const char* id : {"a", "b"}) TRY(t.put(c, DocumentKey::of(id), *pack_json("{}"), {}));
    return {};
  }));
  run();
  advance(60 * 86'400);
  world.compact();
  start();
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  (void)sent();
  run();
  EXPECT_EQ(sent(), "created:b");
  EXPECT_FALSE(state(all).progress.has_gap);
}

TEST_F(DeliveriesTest, APausedSubscriptionKeepsItsPosition) {
  Subscription all = subscription();
  put(all);
  run();
  write("a");
  run();
  all.is_paused = true;
  put(all);
  write("b");
  run();
  EXPECT_EQ(sent(), "created:a");
  all.is_paused = false;
  put(all);
  run();
  EXPECT_EQ(sent(), "created:b");
  // A replay begins at another position.
  all.from = {};
  ++all.round;
  put(all);
  run();
  EXPECT_EQ(sent(), "created:a created:b");
}

TEST_F(DeliveriesTest, OnlyMatchingEventsAreSent) {
  const auto other = world.collection("other", with_feed);
  Subscription some = subscription();
  some.collections = {"c"};
  some.kinds = {Event::Kind::created, Event::Kind::removed};
  some.filter = must(StoredExpression::of(expr::equal(expr::body("kind"), expr::literal("x"))));
  put(some);
  run();
  must(world.put(other, "elsewhere", R"({"kind":"x"})"));
  write("a", R"({"kind":"x"})");
  write("b", R"({"kind":"y"})");
  write("a", R"({"kind":"x","n":1})");
  must(world.remove(c, "a"));
  must(world.remove(c, "b"));
  run();
  EXPECT_EQ(sent(), "created:a removed:a");
}

TEST_F(DeliveriesTest, ABacklogIsReadWindowByWindow) {
  for (int i = 0; i < 2'500; ++i) write(std::to_string(i));
  Subscription all = subscription();
  all.from = {};
  put(all);
  for (int i = 0; i < 20; ++i) run();
  EXPECT_EQ(target->sent.size(), 2'500U);
  EXPECT_EQ(state(all).progress.delivered, 2'500);
}

TEST_F(DeliveriesTest, SubscriptionsAreDroppedWithTheirDatabase) {
  put(subscription());
  run();
  must(world.database->drop_database(world.place));
  run();
  EXPECT_EQ(sent(), "");
}

// Whatever the target does and whenever the server crashes, each event arrives, and the events of a
// document arrive in order, apart from repetitions of events that have arrived.
RC_GTEST_PROP(DeliveriesProperty, EachEventArrivesInOrderOfItsDocument, ()) {
  DeliveryWorld w;
  const auto c = w.world.collection("c", with_feed);
  const Subscription all = w.subscription();
  w.put(all);
  w.run();
  std::vector<std::string> written;
  std::map<std::string, std::vector<std::string>> taken;  // by document
  w.target->answer = [&](const SentMessage& sent) -> std::optional<AttemptOutcome> {
    const int what = *rc::gen::inRange(0, 6);
    if (what == 0) return std::nullopt;
    if (what == 1) return AttemptOutcome{Kind::away, "away"};
    if (what == 2) return AttemptOutcome{Kind::refused, "no"};
    taken[sent.payload.substr(sent.payload.find(':') + 1)].push_back(sent.id);
    return AttemptOutcome{};
  };
  const int steps = *rc::gen::inRange(1, 30);
  for (int i = 0; i < steps; ++i) {
    const int what = *rc::gen::inRange(0, 5);
    if (what < 3) {
      const std::string id(1, static_cast<char>('a' + *rc::gen::inRange(0, 3)));
      must(w.world.put(c, id, R"({"n":)" + std::to_string(i) + "}"));
    } else if (what == 3) {
      w.advance(*rc::gen::inRange(0, 100));
    } else {
      w.start();
    }
    w.run();
  }
  w.target->answer = [&](const SentMessage& sent) -> std::optional<AttemptOutcome> {
    taken[sent.payload.substr(sent.payload.find(':') + 1)].push_back(sent.id);
    return AttemptOutcome{};
  };
  w.start();
  w.run();
  w.advance(4'000);
  const FeedPage page = must(w.world.database->feed().read(*w.world.now(c), {}, 1'000));
  const std::string origin = must(read_origin(*w.world.database));
  std::map<std::string, std::vector<std::string>> expected;
  for (const Event& event : page.events) {
    expected[event.key.id].push_back(message_id(origin, c->id, event));
  }
  for (const auto& [document, ids] : expected) {
    // The first arrival of each, in order.
    std::vector<std::string> first;
    for (const std::string& id : taken[document]) {
      if (std::ranges::find(first, id) == first.end()) first.push_back(id);
    }
    RC_ASSERT(first == ids);
  }
}

}  // namespace
}  // namespace mayfly::delivery
