// On a disk that is nearly full the store refuses commits that need more space. Commits that free
// space go on: removals, the sweeper, drops, each with its events and records.
#include <gtest/gtest.h>

#include "db/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

bool is_full = false;

class FullDisk final : public store::Forward {
 public:
  using Forward::Forward;
  Result<void> commit(const store::CommitBatch& batch) override {
    if (is_full && !batch.puts.empty() && batch.space == store::CommitBatch::Space::more) {
      return fail(Code::no_space, "the disk is full");
    }
    return inner().commit(batch);
  }
};

struct FullWorld : World {
  FullWorld() {
    is_full = false;
    database = must(Database::open(std::make_unique<FullDisk>(store::open_memory()), clock));
    place = must(database->create_database("test"))->id;
  }
  ~FullWorld() { is_full = false; }
};

const char* outcome(const Result<Instant>& result) {
  return result ? "done" : name_of(result.error().code);
}

TEST(FullDiskTest, WhatTakesMoreIsRefusedAndWhatTakesLessGoesOn) {
  FullWorld world;
  const auto c = world.collection("c",
                                  {.keep_history_for = Span::seconds(60),
                                   .keep_trash_for = Span::seconds(60),
                                   .keep_feed_for = Span::infinite()},
                                  {{"by_n", {{Field::body("n")}}}});
  must(world.put(c, "a", R"({"n":1})"));
  must(world.put(c, "b", R"({"n":2})"));
  must(world.put(c, "dies", R"({"n":3})", At{second(2'000)}));
  is_full = true;
  EXPECT_STREQ(outcome(world.put(c, "d", R"({"n":4})")), "no_space");
  EXPECT_STREQ(outcome(world.put(c, "a", R"({"n":5})")), "no_space");
  EXPECT_STREQ(outcome(world.remove(c, "a")), "done");
  EXPECT_STREQ(outcome(world.restore(c, "a")), "no_space");
  EXPECT_EQ(world.get(c, "b"), R"({"n":2})");
  world.clock.set(second(3'000));
  EXPECT_EQ(world.sweep(), 2u);
  EXPECT_EQ(world.events(c), "created:a created:b created:dies removed:a forgotten:a expired:dies");
  must(world.database->persist_clock());
  must(world.database->drop_index(c->id, "by_n"));
  EXPECT_FALSE(world.database->change_collection(c->id, {.keep_trash_for = Span{0}}));
  must(world.database->drop_collection(c->id));
  is_full = false;
  EXPECT_FALSE(world.database->catalog()->collection(c->id));
  EXPECT_EQ(world.rows(keys::Table::head, c), 0u);
}

TEST(FullDiskTest, ATransactionThatAlsoWritesTakesMore) {
  FullWorld world;
  const auto c = world.collection("c");
  must(world.put(c, "a", R"({"n":1})"));
  is_full = true;
  const auto both = world.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.remove(c, DocumentKey::of("a"), {}));
    TRY(t.put(c, DocumentKey::of("b"), TRY(pack_json("{}")), {}));
    return {};
  });
  EXPECT_STREQ(outcome(both), "no_space");
  EXPECT_EQ(world.get(c, "a"), R"({"n":1})");
}

}  // namespace
}  // namespace mayfly
