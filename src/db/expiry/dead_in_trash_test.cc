// Collections whose expired documents go to the trash first (docs/decisions/0007).
#include <set>
#include <sstream>

#include "db/limits.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::just_before;
using testing::must;
using testing::second;
using testing::World;

CollectionChange promises(Span trash) {
  return {.keep_trash_for = trash, .keep_feed_for = Span::infinite(), .expires_to_trash = true};
}
std::string trash(World& w, const CollectionPtr& c) {
  View view = must(w.database->up_to_date_view(c->id));
  std::string ids;
  for (const Document& d : must(view.scan_trash(*w.now(c), {}, 100)).documents) {
    ids += (ids.empty() ? "" : " ") + std::string(d.id) + (d.has_expired ? "!" : "");
  }
  return ids;
}

TEST(ExpiredInTrash, LieThereFromTheirDeathOnForAsLongAsItKeeps) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  w.clock.set(just_before(second(1'010)));
  EXPECT_EQ(trash(w, c), "");
  w.clock.set(second(1'010));
  EXPECT_EQ(w.get(c, "a"), "-");
  EXPECT_EQ(trash(w, c), "a!");
  w.clock.set(just_before(second(1'070)));
  EXPECT_EQ(trash(w, c), "a!");
  w.clock.set(second(1'070));
  EXPECT_EQ(trash(w, c), "");
  w.sweep();
  EXPECT_EQ(w.events(c), "created:a expired:a forgotten:a");
  EXPECT_EQ(w.rows(keys::Table::trash, c), 0);
  EXPECT_EQ(w.rows(keys::Table::head, c), 0);
}

TEST(ExpiredInTrash, CanBeRestoredWithANewLifetime) {
  World w;
  auto change = promises(Span::seconds(60));
  change.default_lifetime = Default(after(30));
  const auto c = w.collection("c", change);
  must(w.put(c, "a", R"({"n":1})"));
  must(w.put(c, "b", R"({"n":2})", At{second(1'010)}));
  w.clock.set(second(1'030));
  must(w.restore(c, "a"));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.restore(w.now(c), DocumentKey::of("b"), {.lifetime = Lifetime(At{second(1'500)})});
  }));
  w.clock.set(just_before(second(1'060)));
  EXPECT_EQ(w.list(c), "a b");
  w.clock.set(second(1'060));
  EXPECT_EQ(w.list(c), "b");
  EXPECT_EQ(trash(w, c), "a!");
}

TEST(ExpiredInTrash, AreFoundThereByTransactionsSweptOrNot) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", "{}", At{second(1'010)}));
  const auto is_in_trash = [&] {
    bool is_there = false;
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      is_there = TRY(t.get_removed(w.now(c), DocumentKey::of("a"))).has_value();
      return {};
    }));
    return is_there;
  };
  EXPECT_FALSE(is_in_trash());
  w.clock.set(second(1'010));
  EXPECT_TRUE(is_in_trash());
  w.clock.set(second(1'070));
  EXPECT_FALSE(is_in_trash());
}

// The answers and events of one sequence of edits, with housekeeping between the steps or not.
std::string story(bool sweeps, bool compacts) {
  World w;
  auto change = promises(Span::seconds(60));
  change.keep_history_for = Span::seconds(20);
  const auto c = w.collection("c", change);
  const auto housekeep = [&] {
    if (sweeps) w.sweep();
    if (compacts) w.compact();
  };
  std::string answers;
  for (const std::string id : {"a", "b", "d"}) must(w.put(c, id, R"({"n":1})", At{second(1'010)}));
  w.clock.set(second(1'011));
  housekeep();
  must(w.put(c, "a", R"({"n":2})", At{second(1'020)}));  // over an expired one
  w.clock.set(second(1'021));
  housekeep();
  answers += trash(w, c) + "|" + w.get_as_of(c, "a", second(1'009)) + "|";
  must(w.restore(c, "a"));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.forget(w.now(c), DocumentKey::of("d")); }));
  housekeep();
  answers += trash(w, c) + "|" + w.get(c, "a") + "|";
  w.clock.set(second(1'200));
  housekeep();
  must(w.put(c, "b", R"({"n":3})"));
  answers += trash(w, c) + "|" + w.list(c) + "|";
  w.sweep();
  // Which events there are; the event of a death that waits for its sweep may follow the next
  // creation.
  std::istringstream words(w.events(c));
  std::multiset<std::string> events;
  for (std::string word; words >> word;) events.insert(word);
  for (const std::string& event : events) answers += event + " ";
  return answers;
}

TEST(ExpiredInTrash, AreThereWhateverHousekeepingHasDone) {
  const std::string expected = story(false, false);
  EXPECT_EQ(expected.substr(0, expected.rfind('|')), R"(a! b! d! a!|{"n":1}|a! b!|{"n":2}||a b)");
  EXPECT_EQ(story(true, false), expected);
  EXPECT_EQ(story(false, true), expected);
  EXPECT_EQ(story(true, true), expected);
}

TEST(ExpiredInTrash, FallOnOneSideOfAChangeOfTheRetention) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  must(w.put(c, "b", R"({"n":2})", At{second(1'020)}));
  w.clock.set(second(1'015));
  w.change(c, {.expires_to_trash = false});
  w.clock.set(second(1'030));
  EXPECT_EQ(trash(w, c), "a!");
  w.change(c, {.expires_to_trash = true});
  EXPECT_EQ(trash(w, c), "a!");
}

TEST(ExpiredInTrash, NeedACollectionThatKeepsATrash) {
  World w;
  const auto refused =
      w.database->create_collection(w.place, {"c", {.expires_to_trash = true}, {}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().field, "expire_to_trash");
  const auto c = w.collection("d", promises(Span::seconds(60)));
  EXPECT_FALSE(w.database->change_collection(c->id, {.keep_trash_for = Span{0}}).has_value());
}

TEST(ExpiredInTrash, AreKeptWhileHeld) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  w.clock.set(second(1'015));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.hold(w.now(c), DocumentKey::of("a"), {}); }));
  w.clock.set(second(9'000));
  w.sweep();
  w.compact();
  EXPECT_EQ(trash(w, c), "a!");
}

TEST(ExpiredInTrash, DoNotTakeThePlaceOfOneThatIsHeldThere) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  w.clock.set(second(1'015));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.hold(w.now(c), DocumentKey::of("a"), {}); }));
  // It has expired when it is written, at the instant at which the other one expired.
  must(w.put(c, "a", R"({"n":2})", At{second(1'010)}));
  EXPECT_EQ(trash(w, c), "a! a!");
  w.clock.set(second(9'000));
  w.sweep();
  EXPECT_EQ(trash(w, c), "a!");
  must(w.restore(c, "a"));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
}

TEST(ExpiredInTrash, LieThereFromTheirWritingOnIfTheyHadExpiredByThen) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", R"({"n":1})", At{second(500)}));
  w.clock.set(second(1'059));
  EXPECT_EQ(trash(w, c), "a!");
  w.clock.set(second(1'061));
  EXPECT_EQ(trash(w, c), "");
  w.sweep();
  EXPECT_EQ(w.events(c), "created:a expired:a forgotten:a");
}

TEST(ExpiredInTrash, GetALifetimeWhenRestoredUnderHold) {
  World w;
  auto change = promises(Span::seconds(60));
  change.default_lifetime = Default(after(30));
  const auto c = w.collection("c", change);
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  w.clock.set(second(1'010));
  const auto key = DocumentKey::of("a");
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.hold(w.now(c), key, {}); }));
  must(w.restore(c, "a"));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.release(w.now(c), key, "ann"); }));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  w.clock.set(second(1'040));
  EXPECT_EQ(w.get(c, "a"), "-");
}

TEST(ExpiredInTrash, ExcludeDeathsCausedByTheChangeThatEndsTheRetention) {
  World w;
  const auto c = w.collection("c", promises(Span::seconds(60)));
  must(w.put(c, "a", R"({"n":1})"));
  w.clock.set(second(1'010));
  w.change(c, {.default_lifetime = Default(after(5)), .expires_to_trash = false});
  EXPECT_EQ(w.get(c, "a"), "-");
  w.sweep();
  EXPECT_EQ(w.trash(c), "");
}

// A commit has a bound, and the rows that it moves are held in memory.
TEST(ExpiredInTrash, AreMovedAFewAtATimeWhereTheyAreLarge) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::infinite(), .expires_to_trash = true});
  const std::string large = "\"" + std::string(limits::sweep_bytes_max / 5, 'x') + "\"";
  for (int i = 0; i < 12; ++i) {
    must(w.put(c, "large" + std::to_string(i), "{\"a\":" + large + "}", At{second(1'010)}));
    must(w.put(c, "small" + std::to_string(i), "{}", At{second(1'010)}));
  }
  w.clock.set(second(1'010));
  const std::uint64_t batch_count = w.database->sweeper().batch_count();
  EXPECT_EQ(w.sweep(), 24U);
  EXPECT_EQ(w.rows(keys::Table::trash, c), 24U);
  EXPECT_EQ(w.database->sweeper().batch_count() - batch_count,
            3U);  // four or five of the large ones each
}

}  // namespace
}  // namespace mayfly
