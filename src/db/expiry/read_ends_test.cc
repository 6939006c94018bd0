// How much a search for the next end reads.
#include "db/expiry/read_ends.h"

#include <gtest/gtest.h>

#include "db/testing.h"
#include "store/wrappers/counting.h"

namespace mayfly {
namespace {

using testing::after;
using testing::must;
using testing::second;
using testing::World;

class ReadEnds : public ::testing::Test {
 protected:
  ReadEnds()
      : counter_(new store::CountingStore(store::open_memory())),
        w_(std::unique_ptr<store::CountingStore>(counter_)) {}

  void put_many(const CollectionPtr& c, const Lifetime& lifetime) {
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      for (int i = 0; i < 1'000; ++i) {
        const std::string id = std::to_string(lifetime.index()) + "-" + std::to_string(i);
        TRY(t.put(w_.now(c), DocumentKey::of(id), TRY(pack_json("{}")), {.lifetime = lifetime}));
      }
      return {};
    }));
  }
  std::size_t rows_of_a_look(const CollectionPtr& c) {
    counter_->reset();
    w_.database->sweeper().look_again(c->id);
    w_.sweep();
    return counter_->counts().rows;
  }
  Instant next() { return w_.database->sweeper().state().next_due; }

  store::CountingStore* counter_;
  World w_;
};

TEST_F(ReadEnds, ReadsOneRowOfEachQueueWhereNothingHasCome) {
  const auto c =
      w_.collection("c", {.default_lifetime = after(500), .keep_feed_for = Span::infinite()});
  put_many(c, Inherit{});
  put_many(c, after(400));
  put_many(c, At{second(1'300)});
  EXPECT_EQ(rows_of_a_look(c), 3U);
  EXPECT_EQ(counter_->counts().scans, all_queues.size()) << "each queue is searched once";
  EXPECT_EQ(next(), second(1'300));
  w_.clock.set(second(1'300));
  EXPECT_EQ(w_.sweep(), 1'000U);
  EXPECT_EQ(next(), second(1'400));
  EXPECT_EQ(rows_of_a_look(c), 2U);
  w_.change(c, {.default_lifetime = Default{Unset{}}});
  w_.clock.set(second(9'000));
  EXPECT_EQ(w_.sweep(), 0U);
  EXPECT_TRUE(next().is_never());
  w_.change(c, {.default_lifetime = Default{Never{}}});
  EXPECT_EQ(w_.sweep(), 1'000U);
  EXPECT_TRUE(next().is_never());
}

TEST_F(ReadEnds, LooksForOwnEndsInTheTrashNoEarlierThanTheFirstOfThem) {
  const auto c = w_.collection("c", {.keep_trash_for = Span::infinite()});
  const auto trash = [&](const std::string& id, Instant end) {
    must(w_.put(c, id, "{}", At{end}));
    must(w_.remove(c, id));
  };
  const auto rows_of_a_sweep = [&](Instant at) {
    w_.clock.set(at);
    counter_->reset();
    w_.sweep();
    return counter_->counts().rows;
  };
  trash("late", second(5'000));
  for (const int end : {1'100, 1'110, 1'200}) {
    must(w_.put(c, std::to_string(end), "{}", At{second(end)}));
  }
  EXPECT_EQ(rows_of_a_sweep(second(1'100)), 5U);
  // The one that has ended, twice, the next one, and the one that waits in the trash.
  EXPECT_EQ(rows_of_a_sweep(second(1'110)), 4U);
  // One that comes before those already seen is found, and so are later ones again.
  trash("early", second(1'150));
  w_.clock.set(second(1'150));
  EXPECT_EQ(w_.sweep(), 1U);
  EXPECT_EQ(w_.trash(c), "late");
  EXPECT_EQ(next(), second(1'200));
  w_.clock.set(second(5'000));
  EXPECT_EQ(w_.sweep(), 2U);
  EXPECT_EQ(w_.rows(keys::Table::trash, c), 0U);
}

TEST_F(ReadEnds, ForgetsNoneOfTheOwnEndsThatOnePassLeaves) {
  const auto c = w_.collection("c", {.keep_trash_for = Span::infinite()});
  for (const char* id : {"a", "b", "d"}) {
    must(w_.put(c, id, "{}", At{second(1'100)}));
    must(w_.remove(c, id));
  }
  w_.clock.set(second(1'100));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(must(w_.database->sweeper().run_due(1)), 1U);
  EXPECT_EQ(w_.rows(keys::Table::trash, c), 0U);
}

TEST_F(ReadEnds, FindsOwnEndsInTheTrashThatANewDefaultBrings) {
  const auto c = w_.collection(
      "c", {.default_lifetime = Default{Never{}}, .keep_trash_for = Span::infinite()});
  must(w_.put(c, "a", "{}"));
  must(w_.remove(c, "a"));
  w_.clock.set(second(2'000));
  EXPECT_EQ(w_.sweep(), 0U);
  w_.change(c, {.default_lifetime = Default{after(3'000)}});
  EXPECT_EQ(w_.sweep(), 0U);
  w_.clock.set(second(4'001));
  EXPECT_EQ(w_.sweep(), 1U);
  EXPECT_EQ(w_.rows(keys::Table::trash, c), 0U);
}

TEST_F(ReadEnds, FindsTheNextEndBehindManyThatAreHeld) {
  const auto c = w_.collection("c", {.keep_trash_for = Span::seconds(100)});
  const int held = 2 * limits::sweep_held_rows_max;
  for (int i = 0; i < held; ++i) {
    const std::string id = "h" + std::to_string(i);
    must(w_.put(c, id, "{}"));
    must(w_.remove(c, id));
    must(w_.database->transact(
        [&](Transaction& t) { return t.hold(w_.now(c), DocumentKey::of(id), {}); }));
  }
  w_.clock.set(second(1'050));
  must(w_.put(c, "free", "{}"));
  const Instant removed = must(w_.remove(c, "free"));
  EXPECT_EQ(w_.sweep(), 0U);
  w_.clock.set(second(1'101));
  EXPECT_EQ(w_.sweep(), 0U);
  EXPECT_EQ(next(), removed + Span::seconds(100));
  w_.clock.set(second(1'200));
  EXPECT_EQ(w_.sweep(), 1U);
  EXPECT_TRUE(next().is_never());
  EXPECT_EQ(w_.rows(keys::Table::trash, c), std::size_t(held));
}

}  // namespace
}  // namespace mayfly
