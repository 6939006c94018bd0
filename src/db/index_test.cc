// Making an index, and failing to.
#include <gtest/gtest.h>

#include "db/testing.h"
#include "store/faulty.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

TEST(UnfinishedIndexTest, AnIndexThatCannotBeFinishedLeavesNothingBehind) {
  auto owned = std::make_unique<store::FaultyStore>(store::open_memory());
  store::FaultyStore& faulty = *owned;
  World w(std::move(owned));
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})"));
  must(w.put(c, "b", R"({"n":2})"));
  const IndexSpec unique{"by_n", {{Field::body("n")}}, true};
  // It is announced, filled, and made ready.
  faulty.fail_nth(store::Call::commit, 3, Code::no_space);
  const auto made = w.database->create_index(c->id, unique);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::no_space);
  EXPECT_EQ(w.now(c)->find_index("by_n"), nullptr);
  must(w.put(c, "c", R"({"n":1})"));
  EXPECT_EQ(w.rows(keys::Table::index, c), 0u);
}

}  // namespace
}  // namespace mayfly
