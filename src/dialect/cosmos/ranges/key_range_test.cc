// The number of key ranges, their bounds, and their splits.
#include "dialect/cosmos/ranges/key_range.h"

#include <gtest/gtest.h>

#include "dialect/cosmos/limits.h"

namespace mayfly::cosmos {
namespace {

// "0 [) 1 <- 0", a line a range; bounds are cut to eight digits.
std::string render(const KeyRanges& ranges) {
  std::string text;
  for (const KeyRange& range : ranges.all()) {
    text += range.id + " [" + range.epks.min.substr(0, 8) + "," + range.epks.max.substr(0, 8) + ")";
    for (const std::string& parent : range.parents) text += " <" + parent;
    text += '\n';
  }
  return text;
}

TEST(RangesOfContainers, AreAsManyAsTheThroughputNeeds) {
  const std::pair<std::int64_t, std::size_t> table[] = {{0, 1},
                                                        {400, 1},
                                                        {10'000, 1},
                                                        {10'100, 2},
                                                        {12'000, 2},
                                                        {12'100, 3},
                                                        {25'100, 5},
                                                        {30'000, 5},
                                                        {1'000'000, 167},
                                                        {1'200'000, 200},
                                                        {2'000'000, limits::key_ranges_max},
                                                        {INT64_MAX, limits::key_ranges_max}};
  for (const auto& [units, ranges] : table) EXPECT_EQ(ranges_for(units), ranges) << units;
}

TEST(RangesOfContainers, AreEqualPartsOfTheHashSpace) {
  EXPECT_EQ(render(KeyRanges()), "0 [,FF)\n");
  EXPECT_EQ(render(KeyRanges({2}, KeyHash::v2)),
            "0 [,1FFFFFFF)\n"
            "1 [1FFFFFFF,FF)\n");
  EXPECT_EQ(KeyRanges({2}, KeyHash::v2).all()[1].epks.min, "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
  EXPECT_EQ(render(KeyRanges({5}, KeyHash::multi)),
            "0 [,0CCCCCCC)\n"
            "1 [0CCCCCCC,19999999)\n"
            "2 [19999999,26666666)\n"
            "3 [26666666,33333333)\n"
            "4 [33333333,FF)\n");
  EXPECT_EQ(KeyRanges({2}, KeyHash::v1).all()[0].epks.max, "05C1E0");
}

TEST(RangesOfContainers, SplitIntoChildrenThatKnowTheirParents) {
  EXPECT_EQ(render(KeyRanges({1, 2}, KeyHash::v2)),
            "1 [,1FFFFFFF) <0\n"
            "2 [1FFFFFFF,FF) <0\n");
  EXPECT_EQ(render(KeyRanges({2, 3, 4}, KeyHash::v2)),
            "2 [,0FFFFFFF) <0\n"
            "3 [0FFFFFFF,1FFFFFFF) <0\n"
            "4 [1FFFFFFF,2FFFFFFF) <1\n"
            "5 [2FFFFFFF,FF) <1\n");
  EXPECT_EQ(render(KeyRanges({1, 2, 5}, KeyHash::v2)),
            "3 [,0AAAAAAA) <0 <1\n"
            "4 [0AAAAAAA,15555555) <0 <1\n"
            "5 [15555555,1FFFFFFF) <0 <1\n"
            "6 [1FFFFFFF,2FFFFFFF) <0 <2\n"
            "7 [2FFFFFFF,FF) <0 <2\n");
}

TEST(RangesOfContainers, OfEachKeyThereIsOne) {
  for (const KeyHash hash : {KeyHash::v1, KeyHash::v2}) {
    const KeyRanges ranges({3, 7}, hash);
    for (int i = 0; i < 1'000; ++i) {
      const std::string epk = epk_of({Value(i)}, hash);
      int holders = 0;
      for (const KeyRange& range : ranges.all()) holders += range.epks.contains(epk) ? 1 : 0;
      EXPECT_EQ(holders, 1);
      EXPECT_TRUE(ranges.of_epk(epk).epks.contains(epk));
      EXPECT_EQ(ranges.around({epk, epk, true}), &ranges.of_epk(epk));
    }
  }
}

TEST(RangesOfContainers, AreFoundAroundWhatLiesInOneOfThem) {
  const KeyRanges ranges({2}, KeyHash::v2);
  const auto around = [&](const char* min, const char* max) {
    const KeyRange* range = ranges.around({min, max});
    return range == nullptr ? "several" : range->id;
  };
  EXPECT_EQ(around("", "10"), "0");
  EXPECT_EQ(around("", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"), "0");
  EXPECT_EQ(around("10", "20"), "several");
  EXPECT_EQ(around("20", "FF"), "1");
  EXPECT_EQ(around("", "FF"), "several");
}

TEST(RangesOfContainers, RememberWhatTheirAncestorsHeld) {
  const KeyRanges ranges({1, 2, 5}, KeyHash::v2);
  EXPECT_EQ(ranges.find("0"), nullptr);
  EXPECT_EQ(ranges.find("1"), nullptr);
  const auto ancestors = ranges.ancestors_of(*ranges.find("7"));
  ASSERT_EQ(ancestors.size(), 2U);
  EXPECT_EQ(ancestors[0].min.substr(0, 4), "1FFF");
  EXPECT_EQ(ancestors[1], (EpkRange{"", "FF"}));
}

TEST(RangesOfContainers, AreKeptAsTheirNumbers) {
  EXPECT_EQ(render_counts({1, 2, 5}), "[1,2,5]");
  EXPECT_EQ(*parse_counts("[1,2,5]"), (RangeCounts{1, 2, 5}));
  for (const char* damaged : {"", "{}", "[]", "[0]", "[2,2]", "[5,3]", "[201]", "[1.5]"}) {
    EXPECT_FALSE(parse_counts(damaged)) << damaged;
  }
}

}  // namespace
}  // namespace mayfly::cosmos
