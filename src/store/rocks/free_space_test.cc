#include "store/rocks/free_space.h"

#include <gtest/gtest.h>

#include "store/rocks/rocks_store.h"
#include "store/testing.h"
#include "store/wrappers/accepts_writes.h"

namespace mayfly::store {
namespace {

using testing::everything;
using testing::outcome;
using testing::put;

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t gib = 1 << 30;

// A disk and a clock that the test controls.
struct Machine {
  std::optional<DiskSpace> disk = DiskSpace{100 * gib, 200 * gib};
  Instant now{0};
  int looks = 0;

  DiskProbe probe() {
    return [this](const std::string&) {
      ++looks;
      return disk;
    };
  }
  MonotonicClock clock() {
    return [this] { return now; };
  }
};

TEST(FreeSpaceTest, TheLimitIsATwentiethOfTheDiskButAtMostOneGibibyte) {
  struct Case {
    DiskSpace disk;
    std::optional<std::uint64_t> bytes_min;
    const char* write;
    const char* removal;
  };
  const std::vector<Case> cases = {
      {{100 * gib, 200 * gib}, {}, "done", "done"},
      {{gib, 200 * gib}, {}, "done", "done"},
      {{gib - 1, 200 * gib}, {}, "no_space", "done"},
      {{64 * mib, 200 * gib}, {}, "no_space", "done"},
      {{64 * mib - 1, 200 * gib}, {}, "no_space", "no_space"},
      {{50 * mib, 1'000 * mib}, {}, "done", "done"},
      {{50 * mib - 1, 1'000 * mib}, {}, "no_space", "done"},
      {{32 * mib, 80 * mib}, {}, "done", "done"},
      {{32 * mib - 1, 80 * mib}, {}, "no_space", "done"},
      {{50 * mib, 200 * gib}, 10 * mib, "done", "done"},
      {{10 * mib - 1, 200 * gib}, 10 * mib, "no_space", "done"},
      {{0, 200 * gib}, 0, "done", "done"},
      {{0, 200 * gib}, {}, "no_space", "no_space"},
  };
  for (const Case& c : cases) {
    Machine machine{.disk = c.disk};
    FreeSpace space("/data", machine.probe(), machine.clock(), {4 * mib, c.bytes_min});
    EXPECT_EQ(outcome(space.admit_write(1)), c.write) << c.disk.free_bytes;
    EXPECT_EQ(outcome(space.admit_removal(1)), c.removal) << c.disk.free_bytes;
  }
}

TEST(FreeSpaceTest, TheDiskIsCheckedAtMostOnceASecond) {
  Machine machine;
  FreeSpace space("/data", machine.probe(), machine.clock(), {});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(space.admit_write(1));
  EXPECT_EQ(machine.looks, 1);
  machine.disk->free_bytes = 0;
  machine.now = Instant{999'999};
  EXPECT_TRUE(space.admit_write(1));
  machine.now = Instant{1'000'000};
  EXPECT_FALSE(space.admit_write(1));
  machine.disk->free_bytes = gib;
  machine.now = Instant{2'000'000};
  EXPECT_TRUE(space.admit_write(1));
  EXPECT_EQ(machine.looks, 3);
}

TEST(FreeSpaceTest, TheDiskIsCheckedAgainAfterTheStoreHasWrittenEnough) {
  Machine machine;
  FreeSpace space("/data", machine.probe(), machine.clock(), {});
  EXPECT_TRUE(space.admit_write(1));
  machine.disk->free_bytes = 0;
  EXPECT_TRUE(space.admit_write(limits::free_disk_check_bytes - 1));
  EXPECT_FALSE(space.admit_write(1));
  EXPECT_EQ(machine.looks, 2);
  machine.disk->free_bytes = 2 * gib;
  EXPECT_FALSE(space.admit_removal(1));
  EXPECT_TRUE(space.admit_removal(limits::free_disk_check_bytes));
  EXPECT_EQ(machine.looks, 3);
}

TEST(FreeSpaceTest, ADiskThatDoesNotReportStopsNoWrites) {
  Machine machine{.disk = std::nullopt};
  FreeSpace space("/data", machine.probe(), machine.clock(), {});
  EXPECT_TRUE(space.admit_write(1));
}

TEST(FreeSpaceTest, ARealDirectoryIsOnARealDisk) {
  const auto disk = probe_disk(::testing::TempDir());
  ASSERT_TRUE(disk);
  EXPECT_GT(disk->total_bytes, 0u);
  EXPECT_LE(disk->free_bytes, disk->total_bytes);
  EXPECT_FALSE(probe_disk("/no/such/directory"));
}

TEST(FreeSpaceTest, AStoreOnAFullDiskReadsAndRemovesAndWritesAgainOnceThereIsSpace) {
  testing::Directory directory;
  Machine machine;
  auto store = open_rocks(
      {.directory = directory.text(), .disk_probe = machine.probe(), .monotonic = machine.clock()});
  ASSERT_TRUE(store);
  put(**store, {{"a", "1"}, {"b", "2"}});
  machine.disk->free_bytes = gib / 2;
  machine.now = machine.now + Span::seconds(2);
  const auto refused = (*store)->commit({.version = 2, .puts = {{"c", "3"}}, .removals = {"a"}});
  EXPECT_EQ(outcome(refused), "no_space");
  // Clients see this message: it names no path of the server.
  EXPECT_NE(refused.error().message.find("the disk that holds the data"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(refused.error().message.find(directory.text()), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(outcome(accepts_writes(**store)), "no_space");
  EXPECT_EQ(everything(**store), "a=1@1 b=2@1");
  EXPECT_EQ(outcome((*store)->commit({.version = 2, .removals = {"a"}})), "done");
  (*store)->sync(2);
  EXPECT_EQ(everything(**store), "b=2@1");
  // The same for a commit that frees more than it writes.
  EXPECT_EQ(outcome((*store)->commit({.version = 3,
                                      .puts = {{"gone", "b"}},
                                      .removals = {"b"},
                                      .space = CommitBatch::Space::less})),
            "done");
  EXPECT_EQ(everything(**store), "gone=b@3");
  machine.disk->free_bytes = 2 * gib;
  machine.now = machine.now + Span::seconds(2);
  EXPECT_EQ(outcome(accepts_writes(**store)), "done");  // even if no write has been tried
  EXPECT_EQ(outcome((*store)->commit({.version = 4, .puts = {{"c", "3"}}})), "done");
}

}  // namespace
}  // namespace mayfly::store
