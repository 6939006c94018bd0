// Calls that an event loop makes to the database never wait for another thread.
#include "base/threads/no_wait.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "db/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

// A store whose next commit continues only when the test says so.
class SlowCommit final : public store::Forward {
 public:
  using Forward::Forward;
  Result<void> commit(const store::CommitBatch& batch) override {
    if (is_slow.exchange(false)) {
      has_begun.set_value();
      goes_on.get_future().wait();
    }
    return Forward::commit(batch);
  }

  std::atomic<bool> is_slow = false;
  std::promise<void> has_begun;
  std::promise<void> goes_on;
};

class NoWaitTest : public ::testing::Test {
 protected:
  NoWaitTest()
      : store_(new SlowCommit(store::open_memory())),
        w_(std::unique_ptr<SlowCommit>(store_)),
        c_(w_.collection("c")) {
    must(w_.put(c_, "a", R"({"n":1})"));
  }
  ~NoWaitTest() override { end_commit(); }

  void begin_commit() {
    store_->is_slow = true;
    committer_ = std::thread([this] { must(w_.put(c_, "b", "{}")); });
    store_->has_begun.get_future().wait();
  }
  void end_commit() {
    if (!committer_.joinable()) return;
    store_->goes_on.set_value();
    committer_.join();
  }
  std::string put(const std::string& id) {
    const auto done = w_.put(c_, id, R"({"n":2})");
    return done ? "done" : name_of(done.error().code);
  }

  SlowCommit* store_;
  World w_;
  CollectionPtr c_;
  std::thread committer_;
};

TEST_F(NoWaitTest, AWriteDoesNotWaitForAnothersCommit) {
  begin_commit();
  {
    const NoWait no_wait;
    EXPECT_EQ(put("a"), "contended");
    EXPECT_TRUE(no_wait.has_refused());
    EXPECT_EQ(w_.get(c_, "a"), R"({"n":1})");
  }
  end_commit();
  const NoWait no_wait;
  EXPECT_EQ(put("a"), "done");
  EXPECT_FALSE(no_wait.has_refused());
}

TEST_F(NoWaitTest, WhatHasBeenRefusedOnceChangesNothingAnyMore) {
  begin_commit();
  const NoWait no_wait;
  EXPECT_EQ(put("a"), "contended");
  end_commit();
  EXPECT_EQ(put("a"), "contended");
  EXPECT_EQ(w_.get(c_, "a"), R"({"n":1})");
}

TEST_F(NoWaitTest, WhatHasChangedSomethingGoesOnAndWaits) {
  const NoWait no_wait;
  EXPECT_EQ(put("a"), "done");
  begin_commit();
  std::thread later([this] { end_commit(); });
  EXPECT_EQ(put("d"), "done");
  EXPECT_FALSE(no_wait.has_refused());
  later.join();
}

TEST_F(NoWaitTest, ATransactionThatLosesARaceIsNotTriedAgain) {
  const NoWait no_wait;
  int attempts = 0;
  const auto done = w_.database->transact([&](Transaction& t) -> Result<void> {
    ++attempts;
    TRY(t.put(c_, DocumentKey::of("a"), TRY(pack_json("{}")), {}));
    std::thread([this] { must(w_.put(c_, "a", R"({"n":3})")); }).join();
    return {};
  });
  EXPECT_FALSE(done);
  EXPECT_EQ(attempts, 1);
  EXPECT_TRUE(no_wait.has_refused());
}

}  // namespace
}  // namespace mayfly
