// Everything that a transaction shows to the code that runs in it existed together: also if it
// writes nothing, and if it fails.
#include <gtest/gtest.h>

#include "db/testing.h"
#include "store/wrappers/counting.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

// One document that moves between two keys: at every instant one of them has it.
class ValidationTest : public ::testing::Test {
 protected:
  ValidationTest()
      : counting_(new store::CountingStore(store::open_memory())),
        w_(std::unique_ptr<store::CountingStore>(counting_)),
        c_(w_.collection("c")) {
    must(w_.put(c_, "b", "{}"));
  }

  void move(const std::string& from, const std::string& to) {
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.remove(c_, DocumentKey::of(from), {}));
      TRY(t.put(c_, DocumentKey::of(to), TRY(pack_json("{}")), {}));
      return {};
    }));
  }
  Result<bool> has(Transaction& t, const std::string& id) {
    return TRY(t.view().get(*c_, DocumentKey::of(id), t.view().live())).has_value();
  }

  store::CountingStore* counting_;
  World w_;
  CollectionPtr c_;
};

TEST_F(ValidationTest, WhatATransactionThatWritesNothingReadExistedTogether) {
  int attempts = 0;
  int seen = 0;
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    seen = TRY(has(t, "a")) ? 1 : 0;
    if (attempts++ == 0) move("b", "a");
    seen += TRY(has(t, "b")) ? 1 : 0;
    return {};
  }));
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(attempts, 2);
}

TEST_F(ValidationTest, WhatATransactionThatFailsReadExistedTogether) {
  int attempts = 0;
  const auto done = w_.database->transact([&](Transaction& t) -> Result<void> {
    const bool has_a = TRY(has(t, "a"));
    if (attempts++ == 0) move("b", "a");
    const bool has_b = TRY(has(t, "b"));
    if (!has_a && !has_b) return fail(Code::not_found, "the document is gone");
    return {};
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(attempts, 2);
}

TEST_F(ValidationTest, WhatAScanShowedExistedTogetherWithTheRest) {
  int attempts = 0;
  std::size_t seen = 0;
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    const DocumentRange before{.to = keys::encode(DocumentKey::of("b"))};
    seen = TRY(t.view().scan(*c_, before, t.view().live())).documents.size();
    if (attempts++ == 0) move("b", "a");
    const DocumentRange behind{.from = keys::encode(DocumentKey::of("b"))};
    seen += TRY(t.view().scan(*c_, behind, t.view().live())).documents.size();
    return {};
  }));
  EXPECT_EQ(seen, 1U);
}

TEST_F(ValidationTest, ACollectionThatWasReadIsStillTheSame) {
  int attempts = 0;
  bool is_there = true;
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    const CollectionPtr seen = t.view().catalog().collection(c_->id);
    is_there = seen != nullptr;
    if (!seen) return {};
    TRY(has(t, "a"));
    if (attempts++ == 0) must(w_.database->drop_collection(c_->id));
    TRY(has(t, "d"));
    return {};
  }));
  EXPECT_FALSE(is_there);
}

// Point reads of existing documents need no validation: a row no later than the transaction's now
// existed then.
TEST_F(ValidationTest, CostsNothingWhereItCannotMatter) {
  must(w_.put(c_, "d", "{}"));
  const auto validations = [&](const std::vector<std::string>& ids, bool is_disturbed) {
    counting_->reset();
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      for (const std::string& id : ids) TRY(has(t, id));
      if (is_disturbed) must(w_.put(c_, "z", "{}"));
      return {};
    }));
    const std::uint64_t own_reads = ids.size() + (is_disturbed ? 1 : 0);
    return counting_->counts().reads - own_reads;
  };
  EXPECT_EQ(validations({"b"}, true), 0U) << "one document";
  EXPECT_EQ(validations({"none"}, true), 0U) << "one absence";
  EXPECT_EQ(validations({"b", "d"}, true), 0U) << "two that are there";
  EXPECT_EQ(validations({"b", "none"}, false), 0U) << "nothing has been committed meanwhile";
  EXPECT_EQ(validations({"b", "none"}, true), 1U);
}

}  // namespace
}  // namespace mayfly
