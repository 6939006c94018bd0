#include "db/rows/commit_number.h"

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

TEST(CommitNumberTest, EveryCommitRaisesTheNumbersOfItsCollectionsByOne) {
  World w;
  const auto c = w.collection("c");
  const auto other = w.collection("other");
  const std::int64_t began = c->commits->value();
  must(w.put(c, "a", "{}"));
  EXPECT_EQ(c->commits->value(), began + 1);
  const std::int64_t others = other->commits->value();
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (const char* id : {"1", "2", "3"}) {
      TRY(t.put(w.now(c), DocumentKey::of(id), TRY(pack_json("{}")), {}));
    }
    TRY(t.put(w.now(other), DocumentKey::of("1"), TRY(pack_json("{}")), {}));
    return {};
  }));
  EXPECT_EQ(c->commits->value(), began + 2);
  EXPECT_EQ(other->commits->value(), others + 1);
  must(w.remove(c, "1"));
  EXPECT_EQ(c->commits->value(), began + 3);
}

TEST(CommitNumberTest, NeitherReadsNorRefusedWritesNorTheSweeperRaiseIt) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::seconds(600)});
  must(w.put(c, "a", "{}", At{second(1'060)}));
  const std::int64_t was = c->commits->value();
  EXPECT_EQ(w.get(c, "a"), "{}");
  EXPECT_FALSE(w.put(c, "a", "{}", {.expect = PutOptions::Expect::absent}).has_value());
  w.clock.set(second(1'060));
  EXPECT_EQ(w.sweep(), 1U);
  EXPECT_EQ(c->commits->value(), was);
}

TEST(CommitNumberTest, ItGoesOnWhenTheDefinitionChanges) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}"));
  const std::int64_t was = c->commits->value();
  w.change(c, {.default_lifetime = Never{}});
  EXPECT_EQ(w.now(c)->commits->value(), was);
  must(w.put(c, "b", "{}"));
  EXPECT_EQ(w.now(c)->commits->value(), was + 1);
}

TEST(CommitNumberTest, ItNeverPassesTheInstantOfACommitSoThatARestartTakesNoneBack) {
  World w;
  const auto c = w.collection("c");
  for (int i = 0; i < 100; ++i) {
    const Instant at = must(w.put(c, "a", "{}"));
    EXPECT_LE(w.now(c)->commits->value(), at.micros);
  }
}

}  // namespace
}  // namespace mayfly
