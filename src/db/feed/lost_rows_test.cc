// What a feed shows if rows that its logged ends name are gone: by a compaction beside a commit,
// after a clock or a consumer has gone back, by damage; and what a repair makes of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "db/feed/logged_ends.h"
#include "db/repair.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::Lent;
using testing::must;
using testing::second;
using testing::World;

// Compacts everything after each commit, before the committer knows that it is over.
class CompactingStore final : public store::Forward {
 public:
  using Forward::Forward;
  Result<void> commit(const store::CommitBatch& batch) override {
    TRY(Forward::commit(batch));
    return Forward::compact({}, {});
  }
};

std::string numbered(int n) {
  return std::string(1, static_cast<char>('a' + n));
}

CollectionPtr with_twenty_dead(World& w, Span kept_for) {
  const auto c = w.collection("c", {.keep_feed_for = kept_for});
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (int i = 0; i < 20; ++i) {
      TRY(t.put(w.now(c), DocumentKey::of(numbered(i)), TRY(pack_json("{}")),
                {.lifetime = At{second(1'030)}}));
    }
    return {};
  }));
  w.clock.set(second(1'040));
  w.sweep();
  return c;
}

std::vector<Event> read_all(World& w, const CollectionPtr& c, FeedPosition after = {}) {
  return must(w.database->feed().read(*w.now(c), after, 1'000)).events;
}

Bytes row_of(const CollectionPtr& c, const std::string& id) {
  return keys::queue(c->id, keys::Queue::at, second(1'030), keys::encode(DocumentKey::of(id)));
}

void lose(World& w, const Bytes& row) {
  must(w.database->store().erase_range(row, row + '\0'));
}

void compact_queues(Database& database, const CollectionPtr& c) {
  const Bytes queues = keys::table(keys::Table::queue, c->id);
  must(database.store().compact(queues, after_prefix(queues)));
}

TEST(LostRows, NoneAreLostToACompactionBesideTheCommit) {
  World w(std::make_unique<CompactingStore>(store::open_memory()));
  const auto c = with_twenty_dead(w, Span::infinite());
  EXPECT_EQ(read_all(w, c).size(), 40U);
}

TEST(LostRows, AreAnErrorForEachReader) {
  World w;
  const auto c = with_twenty_dead(w, Span::seconds(20));
  lose(w, row_of(c, "c"));
  for (const FeedScope scope : {FeedScope::retained, FeedScope::held}) {
    w.clock.advance(Span{1});
    const auto page = w.database->feed().read(*w.now(c), {}, 100, Instant::never(), scope);
    EXPECT_EQ(page.error().code, Code::corrupt);
  }
}

TEST(LostRows, AReaderWithAnOlderCollectionMeetsNone) {
  World w;
  const auto c = with_twenty_dead(w, Span::infinite());
  const CollectionPtr before = w.now(c);
  w.change(c, {.keep_feed_for = Span::seconds(1)});
  w.clock.advance(Span::seconds(10));
  compact_queues(*w.database, c);
  EXPECT_EQ(must(w.database->feed().read(*before, {}, 1'000)).events.size(), 40U);
  w.compact();
  EXPECT_TRUE(must(w.database->feed().read(*before, {}, 1'000)).events.empty());
}

TEST(LostRows, AClockThatIsSetBackOverAStartMeetsNone) {
  const auto kept = store::open_memory();
  CollectionPtr c;
  {
    World w(std::make_unique<Lent>(*kept));
    c = with_twenty_dead(w, Span::seconds(20));
    w.clock.set(second(1'100));
    compact_queues(*w.database, c);
  }
  const ManualClock clock(second(1'041));
  const auto database = must(Database::open(std::make_unique<Lent>(*kept), clock));
  const auto page = database->feed().read(*database->catalog()->any_collection(c->id), {}, 1'000);
  EXPECT_EQ(must(page).events.size(), 20U);
}

TEST(LostRows, AConsumerThatGoesBackOverAStartMeetsNone) {
  const auto kept = store::open_memory();
  CollectionPtr c;
  DatabaseId place = 0;
  const auto hold = [&](Database& database, Instant from) {
    database.feed().holds().set({{place, from}}, false, *database.catalog(), database.now());
  };
  {
    World w(std::make_unique<Lent>(*kept));
    place = w.place;
    hold(*w.database, w.database->now());
    c = with_twenty_dead(w, Span::seconds(20));
    w.clock.set(second(1'100));
    hold(*w.database, second(1'090));
    compact_queues(*w.database, c);
  }
  const ManualClock clock(second(1'101));
  const auto database = must(Database::open(std::make_unique<Lent>(*kept), clock, true));
  hold(*database, second(1'010));
  const auto page =
      database->feed().read(*database->catalog()->any_collection(c->id), {second(1'010), 0}, 1'000,
                            Instant::never(), FeedScope::held);
  EXPECT_EQ(must(page).events.size(), 20U);
}

TEST(LostRows, ARepairedRowTakesNoEventFromAReaderWithinIt) {
  World w;
  const auto c = with_twenty_dead(w, Span::infinite());
  const std::vector<Event> all = read_all(w, c);
  ASSERT_EQ(all.size(), 40U);
  const FeedPosition at = all[29].position();  // the tenth expiration
  lose(w, row_of(c, "d"));
  must(w.database->feed().replace_incomplete(*w.now(c)));
  const std::vector<Event> rest = read_all(w, c, at);
  EXPECT_EQ(rest.size(), 10U);
  EXPECT_EQ(rest[0].key.id, all[30].key.id);
}

TEST(LostRows, AfterALostWatermarkNoEventIsPublishedTwice) {
  World w;
  const auto c = with_twenty_dead(w, Span::infinite());
  lose(w, keys::watermark(c->id, keys::Queue::at));
  w.database->sweeper().forget_collection(c->id);  // as after a start
  must(w.database->feed().replace_incomplete(*w.now(c)));
  w.database->sweeper().look_again(c->id);
  w.sweep();
  EXPECT_EQ(read_all(w, c).size(), 40U);
}

TEST(LostRows, ADamagedRowOfLoggedEndsIsRepaired) {
  const auto kept = store::open_memory();
  {
    World w(std::make_unique<Lent>(*kept));
    const auto c = with_twenty_dead(w, Span::infinite());
    w.clock.advance(Span::millis(1));
    store::CommitBatch batch{.version = static_cast<store::Version>(w.database->now().micros)};
    batch.puts.push_back({keys::logged_ends(c->id, second(1), 5), "junk"});
    must(w.database->store().commit(batch));
  }
  const ManualClock clock(second(1'041));
  must(Database::open(std::make_unique<Lent>(*kept), clock));
  must(mend(std::make_unique<Lent>(*kept)));
  const auto database = must(Database::open(std::make_unique<Lent>(*kept), clock));
  for (const auto& [id, c] : database->catalog()->all_collections()) {
    EXPECT_EQ(must(database->feed().read(*c, {}, 1'000)).events.size(), 40U);
  }
}

TEST(LostRows, APageOfLoggedEndsHasABoundInBytes) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::infinite()});
  const std::string prefix(1'000, 'x');
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (int i = 0; i < 1'500; ++i) {
      TRY(t.put(w.now(c), DocumentKey::of(prefix + std::to_string(i)), TRY(pack_json("{}")),
                {.lifetime = At{second(1'030)}}));
    }
    return {};
  }));
  w.clock.set(second(1'040));
  w.sweep();
  FeedPosition at{second(1'035), 0};
  std::size_t events = 0;
  for (bool has_more = true; has_more;) {
    const FeedPage page = must(w.database->feed().read(*w.now(c), at, 10'000));
    EXPECT_LE(page.events.size() * prefix.size(), limits::store_page_bytes_max + 70'000);
    events += page.events.size();
    at = page.last;
    has_more = page.has_more;
  }
  EXPECT_EQ(events, 1'500U);
}

}  // namespace
}  // namespace mayfly
