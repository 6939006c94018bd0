// The ledger of ends, compared with a count of the documents themselves, one by one.
#include "db/ledger/ledger.h"

#include "base/random.h"
#include "db/ledger/changes.h"
#include "db/ledger/reading.h"
#include "db/ledger/state.h"
#include "db/limits.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using keys::EndOrder;
using testing::after;
using testing::must;
using testing::second;
using testing::World;

std::int64_t count_one_by_one(World& w, const CollectionPtr& c) {
  View view = w.database->view();
  std::int64_t living = 0;
  must(view.each(*w.now(c), [&living](const Document&) -> Result<bool> {
    ++living;
    return true;
  }));
  return living;
}

// -1 if the ledger cannot answer.
std::int64_t count_by_ledger(World& w, const CollectionPtr& c) {
  View view = w.database->view();
  Meter meter;
  const auto living = must(ledger::count_living(view, *w.now(c), meter));
  return living ? static_cast<std::int64_t>(*living) : -1;
}

void put_many(World& w, const CollectionPtr& c, std::size_t documents, Lifetime lifetime) {
  for (std::size_t n = 0; n < documents; ++n) must(w.put(c, std::to_string(n), "{}", lifetime));
}

// How many rows of changes are beside the slots, …
std::size_t changes_of(World& w, const CollectionPtr& c) {
  const Bytes prefix = keys::ledger_changes(c->id);
  const store::Range range{.lo = prefix, .hi = after_prefix(prefix), .rows_max = 10'000};
  return must(w.database->store().read({{}, {range}}, nullptr)).scans[0].rows.size();
}
// … and how many slots there are.
std::size_t slots_of(World& w, const CollectionPtr& c) {
  const Bytes prefix = keys::ledger_slots(c->id);
  const store::Range range{.lo = prefix, .hi = after_prefix(prefix), .rows_max = 10'000};
  return must(w.database->store().read({{}, {range}}, nullptr)).scans[0].rows.size();
}

TEST(Ledger, CountsLivingDocumentsOfEveryLifetimeAtEachMicrosecond) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(after(10))});
  must(w.put(c, "never", "{}", Lifetime(Never{})));
  must(w.put(c, "at", "{}", Lifetime(At{Instant{1'005'000'123}})));
  must(w.put(c, "after", "{}", Lifetime(after(7))));
  must(w.put(c, "inherit", "{}"));
  EXPECT_EQ(count_by_ledger(w, c), 4);
  w.clock.set(Instant{1'005'000'122});
  EXPECT_EQ(count_by_ledger(w, c), 4);
  w.clock.set(Instant{1'005'000'123});
  EXPECT_EQ(count_by_ledger(w, c), 3);
  w.clock.set(second(1'007));
  EXPECT_EQ(count_by_ledger(w, c), 2);
  w.clock.set(second(1'010));
  EXPECT_EQ(count_by_ledger(w, c), 1);
}

TEST(Ledger, IsOfTheMomentOfItsView) {
  World w;
  const auto c = w.collection("c");
  put_many(w, c, 3, Inherit{});
  View before = w.database->view();
  put_many(w, c, limits::ledger_pending_max + 10, Inherit{});
  w.database->jobs().run_due();
  w.compact();
  Meter meter;
  EXPECT_EQ(must(ledger::count_living(before, *c, meter)), std::optional<std::uint64_t>(3));
  EXPECT_EQ(count_by_ledger(w, c), static_cast<std::int64_t>(limits::ledger_pending_max) + 10);
}

TEST(Ledger, CountsForAnOpenViewWhatHasBeenSweptAndCompactedSince) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::seconds(1)});
  for (int i = 0; i < 5; ++i) {
    must(w.put(c, std::to_string(i), "{}", Lifetime(At{Instant{1'010'000'000 + i * 100'000}})));
  }
  w.clock.set(Instant{1'010'150'000});
  View view = w.database->view();
  w.clock.set(Instant{1'010'900'000});
  EXPECT_EQ(w.sweep(), 5U);
  w.compact();
  Meter meter;
  EXPECT_EQ(must(ledger::count_living(view, *c, meter)), 3U);
  EXPECT_EQ(count_by_ledger(w, c), 0);
}

TEST(Ledger, AddsRowsOfChangesUpToSlots) {
  World w;
  const auto c = w.collection("c");
  const std::size_t documents = limits::ledger_pending_max + 5;
  put_many(w, c, documents, Inherit{});
  EXPECT_EQ(changes_of(w, c), documents);
  EXPECT_EQ(slots_of(w, c), 0U);
  w.database->jobs().run_due();
  EXPECT_LT(changes_of(w, c), documents);
  EXPECT_GT(slots_of(w, c), 0U);
  EXPECT_EQ(count_by_ledger(w, c), static_cast<std::int64_t>(documents));
  for (std::size_t n = 0; n < documents; ++n) must(w.remove(c, std::to_string(n)));
  EXPECT_EQ(count_by_ledger(w, c), 0);
  w.database->jobs().run_due();
  EXPECT_EQ(count_by_ledger(w, c), 0);
  EXPECT_EQ(slots_of(w, c), 0U);
}

// A commit that changes no count writes no row.
TEST(Ledger, HasNoRowOfWhatCancelsOut) {
  World w;
  const auto c = w.collection("c");
  put_many(w, c, 1, Never{});
  const std::size_t before = changes_of(w, c);
  put_many(w, c, 1, Never{});
  EXPECT_EQ(changes_of(w, c), before);
}

TEST(Ledger, IsMadeForACollectionThatHasNone) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(after(100))});
  put_many(w, c, 2'500, Inherit{});
  must(w.put(c, "never", "{}", Lifetime(Never{})));
  w.lose_ledger(c);
  EXPECT_EQ(count_by_ledger(w, c), -1);
  must(w.put(c, "meanwhile", "{}"));
  // More changes than are left beside slots: the job runs and finds none to fold.
  for (int i = 0; i < 4; ++i) w.database->jobs().run_due();
  EXPECT_EQ(count_by_ledger(w, c), 2'502);
  w.clock.set(second(1'200));
  EXPECT_EQ(count_by_ledger(w, c), 1);
}

TEST(Ledger, IsMadeAgainAfterAReset) {
  World w;
  const auto c = w.collection("c");
  put_many(w, c, 3, Inherit{});
  EXPECT_EQ(count_by_ledger(w, c), 3);
  must(w.database->ledger().reset(c->id));
  EXPECT_EQ(count_by_ledger(w, c), -1);
  must(w.put(c, "meanwhile", "{}"));
  w.database->ledger().add_existing(c->id);  // as at the start
  for (int i = 0; i < 4; ++i) w.database->jobs().run_due();
  EXPECT_EQ(count_by_ledger(w, c), 4);
  EXPECT_EQ(w.database->ledger().reset(c->id + 1).error().code, Code::not_found);
}

TEST(Ledger, AgreesWithTheDocumentsWhateverIsDoneToThem) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const auto any_default = [&]() -> Default {
      switch (random.below(4)) {
        case 0: return Unset{};
        case 1: return Never{};
        default: return after(1 + static_cast<std::int64_t>(random.below(20'000)));
      }
    };
    World w(second(1'000'000));
    const auto c = w.collection("c", {.default_lifetime = any_default(),
                                      .keep_history_for = Span::seconds(random.below(2) * 50),
                                      .keep_trash_for = Span::seconds(5'000),
                                      .expires_to_trash = random.below(2) == 0});
    for (int i = 0; i < 250; ++i) {
      const auto lived = 1 + static_cast<std::int64_t>(random.below(40'000));
      const Lifetime lifetimes[] = {
          Inherit{}, Never{}, after(lived),
          At{w.clock.now() + Span::millis(static_cast<std::int64_t>(random.below(9'000'000))) -
             Span::seconds(10)}};
      const std::string id = std::to_string(random.below(40));
      switch (random.below(8)) {
        case 0: static_cast<void>(w.remove(c, id)); break;
        case 1: static_cast<void>(w.restore(c, id)); break;
        case 2: w.change(c, {.default_lifetime = any_default()}); break;
        default: static_cast<void>(w.put(c, id, "{}", lifetimes[random.below(4)])); break;
      }
      w.clock.set(w.clock.now() + Span{static_cast<std::int64_t>(random.below(300'000'000))});
      if (random.below(10) == 0) w.sweep();
      if (random.below(20) == 0) w.compact();
      if (random.below(10) == 0) must(w.database->ledger().fold_all());
      if (random.below(40) == 0) w.lose_ledger(c), must(w.database->ledger().make(c->id));
      ASSERT_EQ(count_by_ledger(w, c), count_one_by_one(w, c)) << "seed " << seed << " step " << i;
    }
  }
}

TEST(LedgerChanges, AreReadAsTheyWereWritten) {
  ledger::Changes changes;
  changes.add(EndOrder::inherit, second(5), 1);
  changes.add(EndOrder::at, Instant::beginning(), 1);
  changes.add(EndOrder::never, Instant::never(), 1);
  changes.add(EndOrder::inherit, second(5), 1);
  changes.add(EndOrder::inherit, second(3), -1);
  changes.add(EndOrder::after, second(3), -1);
  changes.add(EndOrder::after, second(3), 1);
  EXPECT_EQ(changes.sum_up(), 4U);
  std::string text;
  for (const ledger::CountChange& change : must(ledger::decode_changes(changes.encode()))) {
    text += static_cast<char>(change.order) + std::to_string(change.second) + ":" +
            std::to_string(change.by) + " ";
  }
  EXPECT_EQ(text, "a-9223372036855:1 i3:-1 i5:2 n0:1 ");
  EXPECT_EQ(ledger::decode_changes("a").error().code, Code::corrupt);
}

TEST(LedgerSlots, CoverEachSecondBehindOneOnce) {
  Random random(7);
  for (int i = 0; i < 2'000; ++i) {
    const auto second = static_cast<std::int64_t>(random.below(4'000'000'000)) - 2'000'000'000;
    std::int64_t covered = second;  // covered up to here, without a gap
    const auto ranges = ledger::slots_from(second);
    for (const ledger::SlotRange& range : ranges) {
      EXPECT_EQ(range.from * ledger::level_seconds[range.level], covered);
      if (range.to) covered = *range.to * ledger::level_seconds[range.level];
    }
    EXPECT_FALSE(ranges.back().to);
  }
}

}  // namespace
}  // namespace mayfly
