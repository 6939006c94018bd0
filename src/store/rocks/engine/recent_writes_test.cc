#include "store/rocks/engine/recent_writes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace mayfly::store {
namespace {

constexpr std::size_t plenty = 1'000'000;

RangeGuard range(const Bytes& lo, const Bytes& hi) {
  return {.lo = lo, .hi = hi};
}

TEST(RecentWritesTest, UnwrittenKeysAreSure) {
  RecentWrites recent(1'000, 10);
  recent.add({.version = 11, .puts = {{"b", ""}}, .removals = {"d"}});
  EXPECT_FALSE(recent.unwritten_since(10, "b"));
  EXPECT_FALSE(recent.unwritten_since(10, "d"));
  EXPECT_TRUE(recent.unwritten_since(11, "b"));
  EXPECT_TRUE(recent.unwritten_since(10, "c"));
  EXPECT_TRUE(recent.unwritten_since(10, range("a", "b"), plenty));
  EXPECT_FALSE(recent.unwritten_since(10, range("a", "c"), plenty));
  EXPECT_TRUE(recent.unwritten_since(11, range("a", "c"), plenty));
  EXPECT_FALSE(recent.unwritten_since(10, range("c", ""), plenty));
  EXPECT_TRUE(recent.unwritten_since(10, range("e", ""), plenty));
}

TEST(RecentWritesTest, NothingIsSureBeforeItsFirstVersion) {
  RecentWrites recent(1'000, 10);
  EXPECT_FALSE(recent.unwritten_since(9, "a"));
  EXPECT_FALSE(recent.unwritten_since(9, range("a", "b"), plenty));
  EXPECT_TRUE(recent.unwritten_since(10, "a"));
}

TEST(RecentWritesTest, ALongSearchStops) {
  RecentWrites recent(1'000, 0);
  for (Version v = 1; v <= 50; ++v) recent.add({.version = v, .puts = {{"k", ""}}});
  EXPECT_TRUE(recent.unwritten_since(0, range("x", ""), 50));
  EXPECT_FALSE(recent.unwritten_since(0, range("x", ""), 49));
  EXPECT_TRUE(recent.unwritten_since(40, range("x", ""), 10));
}

TEST(RecentWritesTest, AfterAnInvalidationOnlyNewerVersionsAreSure) {
  RecentWrites recent(1'000, 0);
  recent.add({.version = 5, .puts = {{"a", ""}}});
  recent.invalidate(5);
  EXPECT_FALSE(recent.unwritten_since(5, "z"));
  EXPECT_FALSE(recent.unwritten_since(5, range("x", ""), plenty));
  EXPECT_TRUE(recent.unwritten_since(6, "z"));
}

RC_GTEST_PROP(RecentWritesTest, ItNeverAnswersAWrongYes, ()) {
  RecentWrites recent(*rc::gen::inRange<std::size_t>(1, 20), 0);
  std::map<Bytes, Version> last;
  const auto keys = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30));
  Version version = 0;
  for (const int key : keys) {
    const Bytes text = std::to_string(key);
    recent.add({.version = ++version, .puts = {{text, ""}}});
    last[text] = version;
  }
  const Version since = *rc::gen::inRange<Version>(0, version + 1);
  const Bytes lo = std::to_string(*rc::gen::inRange(0, 30));
  const Bytes hi = std::to_string(*rc::gen::inRange(0, 30));
  bool written = false;
  for (const auto& [key, written_at] : last) {
    if (written_at > since) RC_ASSERT(!recent.unwritten_since(since, key));
    written |= written_at > since && key >= lo && key < hi;
  }
  if (written) RC_ASSERT(!recent.unwritten_since(since, range(lo, hi), plenty));
}

}  // namespace
}  // namespace mayfly::store
