// Which rows compaction may drop, and which are erased, at a loss of power or while a view is open.
#include <gtest/gtest.h>

#include <string>

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

// A store for which the test decides what is durable, and whether erasing works.
class SlowDisk final : public store::Forward {
 public:
  using Forward::Forward;
  store::Version durable() const override { return durable_; }
  void sync(store::Version version) override {
    durable_ = std::max(durable_, version);
    calls += "sync ";
  }
  Result<void> erase_range(BytesView lo, BytesView hi) override {
    calls += "erase ";
    if (!erases) return fail(Code::internal, "the process ends here");
    return Forward::erase_range(lo, hi);
  }

  std::string calls;
  bool erases = true;

 private:
  store::Version durable_ = 0;
};

class ForgetTest : public ::testing::Test {
 protected:
  ForgetTest() : disk_(new SlowDisk(store::open_memory())), w_(std::unique_ptr<SlowDisk>(disk_)) {}
  void sync() { disk_->sync(disk_->applied()); }

  SlowDisk* disk_;
  World w_;
};

TEST_F(ForgetTest, NothingGoesByAPolicyThatALossOfPowerCouldUndo) {
  const auto c = w_.collection("c", {.keep_history_for = Span::infinite()});
  must(w_.put(c, "a", "{}"));
  must(w_.put(c, "a", "{}"));
  sync();
  w_.change(c, {.keep_history_for = Span{0}});
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::history, c), 1u);
  sync();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::history, c), 0u);
}

TEST_F(ForgetTest, NothingGoesThatAViewFromBeforeAShorterRetentionStillShows) {
  const auto c = w_.collection("c", {.keep_history_for = Span::infinite()});
  const Instant first = must(w_.put(c, "a", R"({"n":1})"));
  must(w_.put(c, "a", "{}"));
  w_.clock.set(second(2'000));
  w_.database->now();  // the horizon is no earlier than this
  {
    View view = w_.database->view();
    w_.change(c, {.keep_history_for = Span::seconds(1)});
    sync();
    w_.compact();
    const auto found = must(view.get(*c, DocumentKey::of("a"), must(view.as_of(first, *c))));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->body.json(), R"({"n":1})");
  }
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::history, c), 0u);
}

TEST_F(ForgetTest, EntriesThatOutliveTheirIndexAreForgotten) {
  const auto c = w_.collection("c", {}, {{"by_n", {{Field::body("n")}}}});
  must(w_.put(c, "a", R"({"n":1})"));
  disk_->erases = false;
  must(w_.database->drop_index(c->id, "by_n"));
  EXPECT_EQ(w_.rows(keys::Table::index, c), 1u);
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::index, c), 0u);
}

TEST_F(ForgetTest, WhatIsDroppedIsErasedOnceTheDroppingIsDurable) {
  const auto c = w_.collection("c", {}, {{"by_n", {{Field::body("n")}}}});
  disk_->calls.clear();
  must(w_.database->drop_index(c->id, "by_n"));
  EXPECT_EQ(disk_->calls, "sync erase sync erase ");  // its entries, and those that have left it
  disk_->calls.clear();
  must(w_.database->drop_collection(c->id));
  EXPECT_EQ(disk_->calls.substr(0, 11), "sync erase ");
}

}  // namespace
}  // namespace mayfly
