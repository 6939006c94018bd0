#include "query/planning/ranges.h"

#include <gtest/gtest.h>

namespace mayfly::query {
namespace {

using Ranges = std::vector<ByteRange>;

TEST(RangesTest, AUnionJoinsAdjacentRangesAndDropsEmptyOnes) {
  EXPECT_EQ(union_of({}), Ranges());
  EXPECT_EQ(union_of({{"c", "d"}, {"a", "b"}}), (Ranges{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(union_of({{"b", "d"}, {"a", "c"}, {"d", "e"}}), (Ranges{{"a", "e"}}));
  EXPECT_EQ(union_of({{"a", "e"}, {"b", "c"}}), (Ranges{{"a", "e"}}));
  EXPECT_EQ(union_of({{"b", ""}, {"c", "d"}, {"a", "b"}}), (Ranges{{"a", ""}}));
  EXPECT_EQ(union_of({{"b", "a"}, {"c", "c"}}), Ranges());
}

TEST(RangesTest, AnIntersectionKeepsWhatLiesInARangeOfEach) {
  EXPECT_EQ(intersection_of({{"a", "c"}}, {}), Ranges());
  EXPECT_EQ(intersection_of({{"a", "c"}}, {{"c", "d"}}), Ranges());
  EXPECT_EQ(intersection_of({{"a", "e"}}, {{"b", "c"}, {"d", ""}}),
            (Ranges{{"b", "c"}, {"d", "e"}}));
  EXPECT_EQ(intersection_of({{"a", "c"}, {"d", ""}}, {{"b", "e"}, {"f", ""}}),
            (Ranges{{"b", "c"}, {"d", "e"}, {"f", ""}}));
  EXPECT_EQ(intersection_of({{"", ""}}, {{"a", "b"}}), (Ranges{{"a", "b"}}));
}

}  // namespace
}  // namespace mayfly::query
