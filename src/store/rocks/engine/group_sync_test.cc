#include "store/rocks/engine/group_sync.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>
#include <vector>

namespace mayfly::store {
namespace {

// A disk whose flushes the test permits one by one; the test sets how far each reaches.
struct Disk {
  std::binary_semaphore begun{0};
  std::binary_semaphore over{0};
  std::atomic<Version> reaches{0};
  std::atomic<int> flushes{0};

  GroupSync::Flush flush() {
    return [this] {
      ++flushes;
      begun.release();
      over.acquire();
      return reaches.load();
    };
  }
  void let_through(Version version) {
    reaches = version;
    over.release();
  }
};

void until_waiting(const GroupSync& sync, std::size_t count) {
  while (sync.waiting() != count) std::this_thread::yield();
}

TEST(GroupSyncTest, ADurableVersionNeedsNoFlush) {
  Disk disk;
  GroupSync sync(5, disk.flush());
  sync.reach(5);
  sync.reach(0);
  EXPECT_EQ(disk.flushes, 0);
}

TEST(GroupSyncTest, OneFlushServesAllCallersThatCameDuringTheOneBefore) {
  Disk disk;
  GroupSync sync(0, disk.flush());
  std::vector<std::thread> callers;
  callers.emplace_back([&] { sync.reach(1); });
  disk.begun.acquire();
  for (Version v = 2; v <= 9; ++v) callers.emplace_back([&, v] { sync.reach(v); });
  until_waiting(sync, 8);
  disk.let_through(1);
  disk.begun.acquire();
  EXPECT_EQ(sync.durable(), 1u);
  disk.let_through(9);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sync.durable(), 9u);
  EXPECT_EQ(disk.flushes, 2);
}

// If the caller that is woken for the next flush does not need it, another caller must be woken.
TEST(GroupSyncTest, ACallerServedEarlyWakesAnother) {
  Disk disk;
  GroupSync sync(0, disk.flush());
  std::thread first([&] { sync.reach(1); });
  disk.begun.acquire();
  std::vector<std::thread> callers;
  for (const Version v : {2, 2, 2, 3, 2}) {
    callers.emplace_back([&, v] { sync.reach(v); });
    until_waiting(sync, callers.size());
  }
  disk.let_through(2);
  disk.begun.acquire();
  disk.let_through(3);
  for (std::thread& caller : callers) caller.join();
  first.join();
  EXPECT_EQ(disk.flushes, 2);
}

}  // namespace
}  // namespace mayfly::store
