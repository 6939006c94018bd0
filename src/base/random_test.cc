// Tests of random.h: a seed determines the sequence, and ids have the right form.
#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace mayfly {
namespace {

TEST(RandomTest, OneSeedGivesOneSequence) {
  Random a(42);
  Random b(42);
  Random c(43);
  const auto first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
  EXPECT_NE(a.next(), first);
}

TEST(RandomTest, BelowIsInRangeAndReachesEveryNumber) {
  Random random(1);
  std::array<int, 6> times{};
  for (int i = 0; i < 6'000; ++i) ++times.at(random.below(6));
  for (const int n : times) EXPECT_NEAR(n, 1'000, 200);
  EXPECT_EQ(random.below(1), 0U);
}

TEST(RandomTest, AUuidIsOfVersionFour) {
  Random random(7);
  std::set<std::string> seen;
  for (int i = 0; i < 1'000; ++i) {
    const std::string id = random.uuid();
    ASSERT_EQ(id.size(), 36U);
    EXPECT_EQ(id[8], '-');
    EXPECT_EQ(id[13], '-');
    EXPECT_EQ(id[18], '-');
    EXPECT_EQ(id[23], '-');
    EXPECT_EQ(id[14], '4') << id;
    EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos) << id;
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef-"), std::string::npos);
    EXPECT_TRUE(seen.insert(id).second);
  }
}

TEST(RandomDeathTest, BelowZeroFailsACheck) {
  Random random(1);
  EXPECT_DEATH(random.below(0), "broken promise");
}

}  // namespace
}  // namespace mayfly
