// A transaction's own writes do not change the past: as-of reads and histories within it.
#include <gtest/gtest.h>

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

class OwnPastTest : public ::testing::Test {
 protected:
  OwnPastTest() : c_(w_.collection("c", {.keep_history_for = Span::infinite()})) {}

  Result<void> write(Transaction& t, const std::string& json) {
    TRY(t.put(c_, key_, TRY(pack_json(json)), {}));
    return {};
  }
  std::string get(Transaction& t, Instant at) {
    View& view = t.view();
    const auto found = must(view.get(*c_, key_, must(view.as_of(at, *c_))));
    return found ? std::string(found->body.json()) : "-";
  }
  std::string list(Transaction& t, Instant at) {
    View& view = t.view();
    std::string bodies;
    for (const Document& d : must(view.scan(*c_, {}, must(view.as_of(at, *c_)))).documents) {
      bodies += d.body.json();
    }
    return bodies;
  }
  std::string history(Transaction& t) {
    std::string bodies;
    for (const Document& d : must(t.view().history(*c_, key_))) bodies += d.body.json();
    return bodies;
  }

  World w_;
  CollectionPtr c_;
  const DocumentKey key_ = DocumentKey::of("a");
};

TEST_F(OwnPastTest, WhatAWriteReplacesIsStillReadAsOfBefore) {
  must(w_.put(c_, "a", R"({"n":1})"));
  w_.clock.set(second(1'010));
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    TRY(write(t, R"({"n":2})"));
    EXPECT_EQ(get(t, second(1'005)), R"({"n":1})");
    EXPECT_EQ(list(t, second(1'005)), R"({"n":1})");
    EXPECT_EQ(get(t, t.now()), R"({"n":2})");
    EXPECT_EQ(history(t), R"({"n":2}{"n":1})");
    TRY(write(t, R"({"n":3})"));
    EXPECT_EQ(get(t, second(1'005)), R"({"n":1})");
    EXPECT_EQ(history(t), R"({"n":3}{"n":1})");
    return {};
  }));
  EXPECT_EQ(w_.get_as_of(c_, "a", second(1'005)), R"({"n":1})");
}

TEST_F(OwnPastTest, WhatARemovalEndsIsStillReadAsOfBefore) {
  must(w_.put(c_, "a", R"({"n":1})"));
  w_.clock.set(second(1'010));
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.remove(c_, key_, {}));
    EXPECT_EQ(get(t, second(1'005)), R"({"n":1})");
    EXPECT_EQ(list(t, second(1'005)), R"({"n":1})");
    EXPECT_EQ(get(t, t.now()), "-");
    EXPECT_EQ(history(t), R"({"n":1})");
    return {};
  }));
}

TEST_F(OwnPastTest, AnExpiredVersionIsReadAsOfItsLifeAlsoIfItsPlaceIsTaken) {
  must(w_.put(c_, "a", R"({"n":1})", Lifetime(At{second(1'003)})));
  w_.clock.set(second(1'010));
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    TRY(write(t, R"({"n":2})"));
    EXPECT_EQ(get(t, second(1'002)), R"({"n":1})");
    EXPECT_EQ(get(t, second(1'003)), "-");
    EXPECT_EQ(list(t, second(1'002)), R"({"n":1})");
    return {};
  }));
}

TEST_F(OwnPastTest, AnExpiredVersionIsReadAsOfItsLifeAlsoIfItIsRestoredAndRemovedAgain) {
  w_.change(c_, {.keep_trash_for = Span::infinite(), .expires_to_trash = true});
  must(w_.put(c_, "a", R"({"n":1})", Lifetime(At{second(1'003)})));
  w_.clock.set(second(1'010));
  c_ = w_.now(c_);
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.restore(c_, key_, {}));
    EXPECT_EQ(get(t, second(1'002)), R"({"n":1})");
    TRY(t.remove(c_, key_, {.is_final = true}));
    EXPECT_EQ(get(t, second(1'002)), R"({"n":1})");
    EXPECT_EQ(list(t, second(1'002)), R"({"n":1})");
    EXPECT_EQ(history(t), R"({"n":1})");
    return {};
  }));
  EXPECT_EQ(w_.get_as_of(c_, "a", second(1'002)), R"({"n":1})");
}

}  // namespace
}  // namespace mayfly
