// Expirations that one row of the feed stands for are events like all others: in any page, after
// any change of policy, and after a loss of rows.
#include "db/feed/logged_ends.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "db/limits.h"
#include "db/repair.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::must;
using testing::second;
using testing::World;

std::string id_of(int n) {
  return std::string(1, static_cast<char>('a' + n / 26)) + static_cast<char>('a' + n % 26);
}

class LoggedEndsTest : public ::testing::Test {
 protected:
  // In one commit, with lifetimes of all kinds in turn.
  void put_many(const CollectionPtr& c, int many) {
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      const Lifetime lifetimes[] = {At{second(1'030)}, after(29), Inherit{}, At{second(1'000)}};
      for (int i = 0; i < many; ++i) {
        TRY(t.put(w_.now(c), DocumentKey::of(id_of(i)), TRY(pack_json("{}")),
                  {.lifetime = lifetimes[i % 4]}));
      }
      return {};
    }));
  }
  std::vector<Event> read(const CollectionPtr& c, FeedPosition from, std::size_t events_max) {
    std::vector<Event> all;
    for (bool has_more = true; has_more;) {
      FeedPage page = must(w_.database->feed().read(*w_.now(c), from, events_max));
      EXPECT_LE(page.events.size(), events_max);
      EXPECT_FALSE(page.has_gap);
      EXPECT_TRUE(!page.has_more || page.last > from);
      if (!page.events.empty()) {
        EXPECT_EQ(page.last, page.events.back().position());
      }
      all.insert(all.end(), page.events.begin(), page.events.end());
      from = page.last;
      has_more = page.has_more;
    }
    return all;
  }
  static std::string text_of(const std::vector<Event>& events) {
    std::string text;
    for (const Event& e : events) {
      text += std::string(name_of(e.kind)) + " " + e.key.id + " " +
              std::to_string(e.committed_at.micros) + "/" + std::to_string(e.number) + " of " +
              std::to_string(e.version_at.micros) + " dead " + std::to_string(e.death.micros) +
              "\n";
    }
    return text;
  }

  World w_;
};

TEST_F(LoggedEndsTest, PagesOfAnySizeFromAnywhereHoldTheSameEvents) {
  const auto c = w_.collection("c", {.default_lifetime = after(25),
                                     .keep_trash_for = Span::seconds(12),
                                     .keep_feed_for = Span::infinite()});
  put_many(c, 150);
  must(w_.remove(c, id_of(1)));
  must(w_.remove(c, id_of(2)));  // leave the trash among the others
  w_.clock.set(second(1'040));
  w_.sweep();
  must(w_.put(c, "later", "{}"));
  const std::vector<Event> all = read(c, {}, 10'000);
  EXPECT_EQ(all.size(), std::size_t{150 + 2 + 148 + 2 + 1});
  EXPECT_GT(w_.rows(keys::Table::logged_ends, c), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Event::position));
  for (const std::size_t events_max : {1, 2, 7, 63, 64, 65, 100}) {
    EXPECT_EQ(text_of(read(c, {}, events_max)), text_of(all)) << events_max;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(text_of(read(c, all[i].position(), 50)), text_of({all.begin() + i + 1, all.end()}));
  }
}

TEST_F(LoggedEndsTest, EachEventHasTheEndThatItsDocumentHad) {
  const auto c = w_.collection("c", {.keep_feed_for = Span::infinite()});
  put_many(c, 80);  // a quarter never ends, and as many wait for a default
  w_.clock.set(second(1'100));
  w_.sweep();
  w_.change(c, {.default_lifetime = after(50)});
  const Instant changed_at = w_.database->now();
  w_.clock.advance(Span::seconds(1));
  w_.sweep();
  for (const Event& e : read(c, {}, 1'000)) {
    if (e.kind != Event::Kind::expired) continue;
    const int kind = ((e.key.id[0] - 'a') * 26 + (e.key.id[1] - 'a')) % 4;
    if (kind == 1 || kind == 2) {
      EXPECT_GT(e.death, second(1'100));
      EXPECT_LE(e.death, changed_at);
    } else {
      EXPECT_EQ(e.death, second(kind == 0 ? 1'030 : 1'000));
    }
  }
  EXPECT_EQ(w_.rows(keys::Table::feed, c), 80U);
}

TEST_F(LoggedEndsTest, NoLaterPolicyChangesAnEvent) {
  const auto c =
      w_.collection("c", {.default_lifetime = after(25), .keep_feed_for = Span::infinite()});
  put_many(c, 100);
  w_.clock.set(second(1'040));
  w_.sweep();
  const std::string before = text_of(read(c, {}, 1'000));
  w_.change(c, {.default_lifetime = after(500)});
  EXPECT_EQ(text_of(read(c, {}, 1'000)), before);
  w_.clock.set(second(5'000));
  w_.change(c, {.default_lifetime = Default{Unset{}}});
  w_.sweep();
  w_.compact();
  EXPECT_EQ(text_of(read(c, {}, 1'000)), before);
}

TEST_F(LoggedEndsTest, AHeldFeedKeepsItsRowsOfTheQueues) {
  const auto c = w_.collection("c", {.keep_feed_for = Span::seconds(10)});
  FeedHolds& holds = w_.database->feed().holds();
  const Instant began = w_.database->now();
  holds.set({{w_.place, began}}, false, *w_.database->catalog(), began);
  put_many(c, 40);
  w_.clock.set(second(1'040));
  w_.sweep();
  w_.clock.set(second(2'000));
  w_.compact();
  const auto held = [&] {
    return must(w_.database->feed().read(*w_.now(c), {}, 1'000, Instant::never(), FeedScope::held));
  };
  EXPECT_EQ(held().events.size(), 40U + 20U);
  EXPECT_EQ(read(c, {}, 1'000).size(), 0U);
  holds.set({}, false, *w_.database->catalog(), w_.database->now());
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::logged_ends, c), 0U);
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 20U);  // they wait for a default
  EXPECT_EQ(held().events.size(), 0U);
}

TEST_F(LoggedEndsTest, LostRowsTakeOnlyTheirOwnEvents) {
  const auto c = w_.collection("c", {.keep_feed_for = Span::infinite()});
  put_many(c, 120);
  w_.clock.set(second(1'040));
  w_.sweep();
  const std::size_t all = read(c, {}, 1'000).size();
  const Bytes lost =
      keys::queue(c->id, keys::Queue::at, second(1'030), keys::encode(DocumentKey::of(id_of(4))));
  must(w_.database->store().erase_range(lost, lost + '\0'));
  EXPECT_EQ(w_.database->feed().read(*w_.now(c), {}, 1'000).error().code, Code::corrupt);
  must(w_.database->feed().replace_incomplete(*w_.now(c)));
  const std::vector<Event> left = read(c, {}, 7);
  EXPECT_EQ(left.size(), all - 1);
  EXPECT_EQ(std::ranges::count_if(left, [](const Event& e) { return e.key.id == id_of(4); }), 1);
}

TEST(LoggedEnds, DamagedRowsAreRefused) {
  LoggedEnds ends{.after = {second(5), Span{0}}, .inherit = {second(6), Span::seconds(7)}};
  for (std::size_t i = 0; i < ends.queues.size(); ++i) {
    const Bytes key = keys::encode(DocumentKey::of("a"));
    const Bytes row = keys::queue(7, published_queues[i], second(1), key);
    ends.queues[i] = {row, 2, row + "b"};
  }
  Bytes value;
  encode(ends, value);
  const Bytes key = keys::logged_ends(7, second(9), 5);
  const LoggedEnds decoded = must(decode_logged_ends({key, value, 9}));
  Bytes again;
  encode(decoded, again);
  EXPECT_EQ(again, value);
  EXPECT_EQ(decoded.inherit, ends.inherit);
  for (std::size_t size = 0; size < value.size(); ++size) {
    const Bytes cut = value.substr(0, size);
    EXPECT_FALSE(decode_logged_ends({key, cut, 9})) << size;
  }
  ends.queues[0].count = limits::logged_ends_max;
  Bytes many;
  encode(ends, many);
  EXPECT_FALSE(decode_logged_ends({key, many, 9}));
}

}  // namespace
}  // namespace mayfly
