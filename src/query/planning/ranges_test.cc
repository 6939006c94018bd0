#include "query/planning/ranges.h"

#include <gtest/gtest.h>

namespace mayfly::query {
namespace {

using Ranges = std::vector<ByteRange>;

TEST(RangesTest, InAnyJoinsWhatTouchesAndLeavesOutWhatIsEmpty) {
  EXPECT_EQ(in_any({}), Ranges());
  EXPECT_EQ(in_any({{"c", "d"}, {"a", "b"}}), (Ranges{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(in_any({{"b", "d"}, {"a", "c"}, {"d", "e"}}), (Ranges{{"a", "e"}}));
  EXPECT_EQ(in_any({{"a", "e"}, {"b", "c"}}), (Ranges{{"a", "e"}}));
  EXPECT_EQ(in_any({{"b", ""}, {"c", "d"}, {"a", "b"}}), (Ranges{{"a", ""}}));
  EXPECT_EQ(in_any({{"b", "a"}, {"c", "c"}}), Ranges());
}

TEST(RangesTest, InBothKeepsWhatLiesInARangeOfEach) {
  EXPECT_EQ(in_both({{"a", "c"}}, {}), Ranges());
  EXPECT_EQ(in_both({{"a", "c"}}, {{"c", "d"}}), Ranges());
  EXPECT_EQ(in_both({{"a", "e"}}, {{"b", "c"}, {"d", ""}}), (Ranges{{"b", "c"}, {"d", "e"}}));
  EXPECT_EQ(in_both({{"a", "c"}, {"d", ""}}, {{"b", "e"}, {"f", ""}}),
            (Ranges{{"b", "c"}, {"d", "e"}, {"f", ""}}));
  EXPECT_EQ(in_both({{"", ""}}, {{"a", "b"}}), (Ranges{{"a", "b"}}));
}

}  // namespace
}  // namespace mayfly::query
