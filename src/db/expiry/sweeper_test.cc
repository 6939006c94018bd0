// Housekeeping: its work, and that it changes no answer.
#include "db/expiry/sweeper.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <thread>

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::must;
using testing::second;
using testing::World;

TEST(SweeperTest, ItRecordsEachDeathOnceInTheOrderOfTheDeaths) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::infinite()});
  w.change(c, {.default_lifetime = after(30)});
  must(w.put(c, "inherits", "{}", PutOptions{}));
  must(w.put(c, "own", "{}", Lifetime{after(20)}));
  must(w.put(c, "fixed", "{}", At{second(1'025)}));
  must(w.put(c, "stays", "{}", Lifetime{Never{}}));
  must(w.put(c, "rewritten", "{}", At{second(1'010)}));
  must(w.put(c, "rewritten", "{}", At{second(9'000)}));
  EXPECT_EQ(w.sweep(), 0u);
  EXPECT_EQ(w.database->sweeper().state().next_due, second(1'020));
  w.clock.set(second(1'100));
  EXPECT_EQ(w.sweep(), 3u);
  EXPECT_EQ(w.sweep(), 0u);
  const std::string all = w.events(c);
  EXPECT_EQ(all.substr(all.find("expired")), "expired:own expired:fixed expired:inherits");
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 2u);
  EXPECT_EQ(w.rows(keys::Table::queue, c), 4u);  // the feed is made of three
  w.change(c, {.keep_feed_for = Span{0}});
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::queue, c), 1u);
}

TEST(SweeperTest, NoAnswerWaitsForItsCommits) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::infinite()});
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.put(c, "b", "{}", At{second(1'020)}));
  const store::Version written = w.database->store().applied();
  EXPECT_EQ(w.database->shown(), written);
  for (const int at : {1'010, 1'020}) {
    w.clock.set(second(at));
    w.sweep();
    EXPECT_GT(w.database->store().applied(), written);
    EXPECT_EQ(w.database->shown(), written);
  }
  must(w.put(c, "d", "{}"));
  EXPECT_GT(w.database->shown(), written);
  EXPECT_EQ(w.database->shown(), w.database->store().applied());
}

// Otherwise one answer of many would wait each second for a flush that nothing in it needs.
TEST(SweeperTest, NoAnswerWaitsForTheFloorOfTheClock) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}"));
  const store::Version written = w.database->shown();
  EXPECT_EQ(w.get(c, "a"), "{}");
  must(w.database->persist_clock_if_used());
  EXPECT_GT(w.database->store().applied(), written);
  EXPECT_EQ(w.database->shown(), written);
  must(w.put(c, "b", "{}"));
  EXPECT_EQ(w.database->shown(), w.database->store().applied());
}

TEST(SweeperTest, ACollectionNotYetVisitedCountsAsOverdue) {
  World w;
  const auto c = w.collection("c");
  w.sweep();
  EXPECT_EQ(w.database->sweeper().state().overdue_collections, 0u);
  w.database->sweeper().look_again(c->id);  // as after a start
  EXPECT_EQ(w.database->sweeper().state().overdue_collections, 1u);
  EXPECT_TRUE(w.database->sweeper().state().next_due.is_never());
  w.sweep();
  EXPECT_EQ(w.database->sweeper().state().overdue_collections, 0u);
}

TEST(SweeperTest, ALongerDefaultSavesDocumentsThatHaveNotExpired) {
  World w;
  const auto c =
      w.collection("c", {.default_lifetime = after(30), .keep_feed_for = Span::infinite()});
  must(w.put(c, "a", "{}", PutOptions{}));
  w.clock.set(second(1'029));
  w.change(c, {.default_lifetime = after(300)});
  w.clock.set(second(1'031));
  EXPECT_EQ(w.sweep(), 0u);
  EXPECT_EQ(w.get(c, "a"), "{}");
  w.clock.set(second(1'300));
  EXPECT_EQ(w.sweep(), 1u);
}

TEST(SweeperTest, ABatchHasABoundAndAPassGoesOn) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::infinite()});
  const std::size_t many = 2 * limits::sweep_batch_max + 7;
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (std::size_t i = 0; i < many; ++i) {
      TRY(t.put(c, DocumentKey::of(std::to_string(i)), TRY(pack_json("{}")),
                {.lifetime = Lifetime{At{second(1'010)}}}));
    }
    return {};
  }));
  w.clock.set(second(1'010));
  EXPECT_EQ(must(w.database->sweeper().run_due(10)), 10u);
  EXPECT_EQ(w.sweep(), many - 10);
  EXPECT_EQ(w.database->sweeper().state().batches, 3u);
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 0u);
}

TEST(SweeperTest, AnEndThatIsPutIntoThePastIsFound) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}", At{second(1'010)}));
  w.clock.set(second(1'020));
  EXPECT_EQ(w.sweep(), 1u);
  must(w.put(c, "b", "{}", At{second(1'005)}));
  EXPECT_EQ(w.get(c, "b"), "-");
  EXPECT_EQ(w.sweep(), 1u);
}

TEST(SweeperTest, ABatchCutBetweenEqualDeathsLosesNone) {
  World w;
  const auto c =
      w.collection("c", {.default_lifetime = after(10), .keep_feed_for = Span::infinite()});
  for (const auto id : {"z", "y", "a", "b"}) must(w.put(c, id, "{}", PutOptions{}));
  w.clock.set(second(1'010));
  for (int n = 0; n < 4; ++n) EXPECT_EQ(must(w.database->sweeper().run_due(1)), 1u);
  const std::string all = w.events(c);
  EXPECT_EQ(all.substr(all.find("expired")), "expired:z expired:y expired:a expired:b");
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::queue, c), 0u);
}

TEST(SweeperTest, TwoLivesThatHadExpiredWhenWrittenAreBothPublished) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::infinite()});
  must(w.put(c, "a", R"({"n":1})", At{second(500)}));
  must(w.put(c, "a", R"({"n":2})", At{second(500)}));
  EXPECT_EQ(w.sweep(), 2u);
  EXPECT_EQ(w.events(c), "created:a created:a expired:a expired:a");
  const FeedPage page = must(w.database->feed().read(*w.now(c), {}, 10));
  EXPECT_EQ(page.events[3].death, second(500));
  EXPECT_NE(page.events[2].version_at, page.events[3].version_at);
}

TEST(SweeperTest, ADeathBeforeTheFeedIsNotPublishedHoweverLateItSweeps) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}", At{second(1'010)}));
  w.clock.set(second(1'020));
  w.change(c, {.keep_feed_for = Span::seconds(1'000)});
  w.sweep();
  EXPECT_EQ(w.events(c), "");
}

TEST(SweeperTest, CompactionDropsExpiredDocumentsAndKeepsTheirQueueRows) {
  World w;
  const auto published = w.collection("published", {.keep_feed_for = Span::infinite()});
  const auto silent = w.collection("silent");
  for (const auto& c : {published, silent}) must(w.put(c, "a", "{}", At{second(1'010)}));
  w.clock.set(second(1'010));
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, published), 0u);
  EXPECT_EQ(w.rows(keys::Table::queue, published), 1u);
  EXPECT_EQ(w.rows(keys::Table::head, silent), 0u);
  EXPECT_EQ(w.rows(keys::Table::queue, silent), 0u);
  w.sweep();
  EXPECT_EQ(w.events(published), "created:a expired:a");
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::queue, published), 0u);
}

// --- the most important property: collecting garbage never changes an answer ---

struct Step {
  int kind;
  int id;
  int amount;
};

std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << "{" << s.kind << "," << s.id << "," << s.amount << "}";
}

rc::Gen<Step> arbitrary_step() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 14), rc::gen::inRange(0, 5), rc::gen::inRange(1, 12)),
      [](const std::tuple<int, int, int>& t) {
        return Step{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
      });
}

// Runs one step and returns its answer, with every kind of read.
std::string run(World& w, const CollectionPtr& c, const Step& step) {
  const std::string id = std::string(1, static_cast<char>('a' + step.id));
  const std::string json = R"({"n":)" + std::to_string(step.amount % 3) + "}";
  const auto answer_of = [](const Result<Instant>& r) {
    return r ? std::to_string(r->micros) : std::string(name_of(r.error().code));
  };
  const Instant soon = w.clock.now() + Span::seconds(step.amount);
  switch (step.kind) {
    case 0: return answer_of(w.put(c, id, json, PutOptions{}));
    case 1: return answer_of(w.put(c, id, json, Lifetime{At{soon}}));
    case 2: return answer_of(w.put(c, id, json, Lifetime{after(step.amount)}));
    case 3: return answer_of(w.put(c, id, json, Lifetime{Never{}}));
    case 4: return answer_of(w.put(c, id, json, Lifetime{Inherit{}}));
    case 5: return answer_of(w.remove(c, id));
    case 6: return answer_of(w.restore(c, id));
    case 7: w.change(c, {.default_lifetime = after(step.amount)}); return "";
    case 8: w.change(c, {.default_lifetime = Default{Unset{}}}); return "";
    case 9: w.change(c, {.keep_trash_for = Span::seconds(step.amount)}); return "";
    case 10: w.change(c, {.keep_history_for = Span::seconds(step.amount * 2)}); return "";
    default: w.clock.advance(Span::millis(step.amount * 700)); return "";
  }
}

std::string read_everything(World& w, const CollectionPtr& c) {
  std::string all = w.list(c) + "|" + w.list(c, Lens::live(w.database->now()), true) + "|" +
                    w.list_index(c, "by_n") + "|" + w.trash(c) + "|" +
                    w.list(c, Lens::trash(w.database->now())) + "|";
  for (const auto id : {"a", "b", "c", "d", "e"}) {
    View view = w.database->view();
    all += w.get(c, id) + ",";
    for (const Document& d : must(view.history(*w.now(c), DocumentKey::of(id)))) {
      all +=
          std::to_string(d.version.written_at.micros) + "-" + std::to_string(d.death.micros) + ",";
    }
    for (const int back : {1, 3, 9}) {
      all += w.get_as_of(c, id, w.database->now() - Span::seconds(back)) + ",";
    }
  }
  return all;
}

RC_GTEST_PROP(GarbageProperty, NoScheduleOfSweepsAndCompactionsChangesAnAnswer, ()) {
  const auto steps = *rc::gen::container<std::vector<Step>>(arbitrary_step());
  const auto schedule = *rc::gen::container<std::vector<int>>(steps.size(), rc::gen::inRange(0, 8));
  World never, sometimes;
  const auto make = [](World& w) {
    return w.collection("c", {.keep_trash_for = Span::seconds(5)},
                        {{"by_n", {{Field::body("n")}}}});
  };
  const CollectionPtr a = make(never), b = make(sometimes);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string expected = run(never, a, steps[i]) + read_everything(never, a);
    const std::string got = run(sometimes, b, steps[i]) + read_everything(sometimes, b);
    RC_ASSERT(got == expected);
    if (schedule[i] & 1) must(sometimes.database->sweeper().run_due(schedule[i] & 2 ? 1 : 1'000));
    if (schedule[i] & 4) sometimes.compact();
    // Housekeeping takes commit instants of its own: let the other clock go as far.
    never.clock.set(std::max(never.clock.now(), sometimes.database->now()));
    sometimes.clock.set(never.clock.now());
  }
}

TEST(SweeperTest, ItGivesWayWhileTheForegroundHasTooMuchToDoAndCatchesUpAfterwards) {
  World world;
  const auto c = world.collection("c");
  constexpr std::uint64_t deaths = 10 * limits::sweep_batch_max;
  for (std::uint64_t i = 0; i < deaths; ++i) {
    must(world.put(c, std::to_string(i), "{}", At{second(1'005)}));
  }
  Sweeper& sweeper = world.database->sweeper();
  const auto expires = [&sweeper](std::uint64_t least) {
    const Instant deadline = monotonic_now() + Span::seconds(20);
    while (sweeper.state().expired < least && monotonic_now() < deadline) std::this_thread::yield();
    return sweeper.state().expired >= least;
  };
  Jobs& jobs = world.database->jobs();
  jobs.give_way(true);
  world.clock.set(second(1'010));
  jobs.start();
  EXPECT_TRUE(expires(limits::sweep_batch_max));
  EXPECT_LT(sweeper.state().expired, deaths);
  EXPECT_EQ(world.list(c), "");
  jobs.give_way(false);
  EXPECT_TRUE(expires(deaths));
  jobs.stop();
}

}  // namespace
}  // namespace mayfly
