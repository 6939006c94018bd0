// The power is lost at any sync: acknowledged commits are there, no commit is torn, and none is
// missing before one that is there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "work.h"

namespace mayfly::crash {
namespace {

constexpr int losses_per_directory = 100;
constexpr std::uint64_t first_syncs = 60;  // of a new directory: its creation, and work after it
constexpr std::uint64_t syncs_max = 12;    // until the next loss of power
constexpr std::uint64_t commits_max = 400;

// MAYFLY_LOSSES sets a higher number than a run of all tests has time for.
int losses() {
  const char* asked = std::getenv("MAYFLY_LOSSES");
  return asked == nullptr ? 300 : std::atoi(asked);
}

struct PowerLossScene {
  ScratchDirectory place{"power"};
  std::shared_ptr<ChildReport> report = shared_report();
  std::shared_ptr<TestDisk> disk(std::uint64_t seed) {
    return std::make_shared<TestDisk>(place.lost_and_found(), seed, *report);
  }

  // Opens the database, checks its content, and works until the power is lost.
  int work_until_power_loss(std::uint64_t seed, std::uint64_t nth_sync) {
    return in_child([&]() -> int {
      const auto files = disk(seed);
      files->lose_power_at_sync(nth_sync);
      auto opened = Opened::open(place.data(), files);
      if (!opened) return wrong(*report, "not opened: " + opened.error().message);
      const std::uint64_t last = std::move(*(*opened)->last());
      for (std::uint64_t i = last + 1; i <= last + commits_max; ++i) {
        report->begun = i;
        const auto done = (*opened)->commit(i);
        if (!done) return wrong(*report, "not committed: " + done.error().message);
        store::Store& store = (*opened)->database().store();
        if (i % 3 != 0) continue;  // some share a sync
        store.sync(store.applied());
        report->acknowledged = i;
        if (i % 40 == 0 && !store.compact({}, {})) return wrong(*report, "not compacted");
      }
      return 0;
    });
  }

  // With a disk that does not fail: the content is intact and has all acknowledged commits.
  int check() {
    return in_child([&]() -> int {
      auto opened = Opened::open(place.data(), nullptr);
      if (!opened) return wrong(*report, "not opened: " + opened.error().message);
      const std::uint64_t last = std::move(*(*opened)->last());
      if (last < report->acknowledged || last > report->begun) {
        return wrong(*report, fmt::format("{} is there, {} was acknowledged, {} begun", last,
                                          report->acknowledged, report->begun));
      }
      const auto found = (*opened)->check(last);
      if (!found) return wrong(*report, "not read: " + found.error().message);
      if (!found->empty()) return wrong(*report, fmt::format("of {}: {}", last, *found));
      report->acknowledged = last;
      return 0;
    });
  }
};

TEST(PowerLossTest, AtEachSyncOfANewDirectory) {
  PowerLossScene scene;
  for (std::uint64_t nth = 1; nth <= first_syncs; ++nth) {
    scene.place.clear();
    scene.report->acknowledged = scene.report->begun = 0;
    const int ended = scene.work_until_power_loss(nth, nth);
    ASSERT_EQ(ended, power_lost) << "sync " << nth << ": " << scene.report->note;
    ASSERT_EQ(scene.check(), 0) << "sync " << nth << ": " << scene.report->note;
  }
}

TEST(PowerLossTest, AgainAndAgainOnOneDirectory) {
  PowerLossScene scene;
  std::mt19937_64 random(20);
  for (int i = 0; i < losses(); ++i) {
    if (i % losses_per_directory == 0) {
      scene.place.clear();
      scene.report->acknowledged = scene.report->begun = 0;
    }
    const std::uint64_t nth = 1 + random() % syncs_max;
    const int ended = scene.work_until_power_loss(random(), nth);
    ASSERT_EQ(ended, power_lost) << "loss " << i << ": " << scene.report->note;
    // Sometimes the next start loses power, too, without a check in between.
    if (random() % 4 == 0) continue;
    ASSERT_EQ(scene.check(), 0) << "loss " << i << ": " << scene.report->note;
  }
}

}  // namespace
}  // namespace mayfly::crash
