#include "base/service/kill_point.h"

#include <gtest/gtest.h>

#include <csignal>
#include <set>

namespace mayfly {
namespace {

TEST(KillPointTest, EveryNameIsUnique) {
  const std::set<std::string_view> names(std::begin(kill_points), std::end(kill_points));
  EXPECT_EQ(names.size(), kill_point_count);
}

TEST(KillPointTest, AnUnarmedOneDoesNothing) {
  ASSERT_TRUE(arm_kill_point(nullptr));
  ASSERT_TRUE(arm_kill_point(""));
  for (int i = 0; i < 1'000; ++i) KILL_POINT("commit.before_wal");
}

TEST(KillPointTest, AnArmedOneKillsAtTheNthPassAndOthersDoNothing) {
  const auto pass_all = [] {
    if (!arm_kill_point("sync.after:3")) return;
    for (int i = 1; i <= 4; ++i) {
      KILL_POINT("sync.before");
      std::fprintf(stderr, "%d ", i);
      KILL_POINT("sync.after");
    }
  };
  EXPECT_EXIT(pass_all(), ::testing::KilledBySignal(SIGKILL), "^1 2 3 killed at sync.after\n$");
}

TEST(KillPointTest, AnUnknownNameIsRefusedWithAListOfAllNames) {
  for (const char* text : {"sync.after", "sync.after:", "sync.after:0", "sync.after:x",
                           "sync.after:1 ", "nowhere:1", ":1", "?"}) {
    const auto armed = arm_kill_point(text);
    ASSERT_FALSE(armed) << text;
    EXPECT_EQ(armed.error().code, Code::invalid);
    for (const std::string_view name : kill_points) {
      EXPECT_NE(armed.error().message.find(name), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace mayfly
