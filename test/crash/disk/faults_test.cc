// Every call to the disk fails, one in each run: the 1st, the 2nd, the 3rd, until a run ends
// without a failure. Whatever fails, an answer is right or an error, and acknowledged commits are
// there afterwards. A failed sync stops the program and is not repeated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <ostream>

#include "store/wrappers/accepts_writes.h"
#include "work.h"

namespace mayfly::crash {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t commits = 24;
constexpr std::uint64_t commits_before = 30;  // before the directory is opened again
constexpr std::uint64_t runs_max = 5'000;     // far more than there are calls

// In a child only: the disk loses power when the program stops itself. After a failed sync the
// kernel may drop unwritten data, so none of it counts as stored.
TestDisk* disk_of_child = nullptr;
void lose_power_on_abort(int) {
  disk_of_child->lose_power_now();
}

struct FaultScene {
  ScratchDirectory place{"faults"};
  ScratchDirectory before{"faults-before"};
  std::shared_ptr<ChildReport> report = shared_report();

  // A directory after a crash, with rows in its tables and in its log.
  int prepare() {
    return in_child([&]() -> int {
      auto opened = Opened::open(before.data(), nullptr);
      if (!opened) return wrong(*report, opened.error().message);
      for (std::uint64_t i = 1; i <= commits_before; ++i) {
        if (!(*opened)->commit(i)) return wrong(*report, "not committed");
        store::Store& store = (*opened)->database().store();
        store.sync(store.applied());
        if (i == commits_before / 2 && !store.compact({}, {}))
          return wrong(*report, "not compacted");
      }
      _exit(0);  // without closing anything
    });
  }

  void begin(bool is_new) {
    place.clear();
    report->acknowledged = report->begun = is_new ? 0 : commits_before;
    report->syncs_retried = 0;
    if (!is_new) fs::copy(before.data(), place.data(), fs::copy_options::recursive);
  }

  // Each read gives the right result or an error.
  bool is_right(Opened& opened, std::uint64_t last) {
    const auto found = opened.check(last);
    if (!found && found.error().message.find("wrong bytes") == std::string::npos) return true;
    if (found && found->empty()) return true;
    wrong(*report, fmt::format("of {}: {}", last, found ? *found : found.error().message));
    return false;
  }

  int work(const Fault& fault, std::uint64_t first) {
    return in_child([&]() -> int {
      const auto disk = std::make_shared<TestDisk>(place.lost_and_found(), fault.nth, *report);
      disk_of_child = disk.get();
      std::signal(SIGABRT, lose_power_on_abort);
      disk->fail(fault);
      auto opened = Opened::open(place.data(), disk);
      if (!opened) return 0;
      std::uint64_t last = first - 1;
      for (std::uint64_t i = first; i < first + commits; ++i) {
        report->begun = i;
        // Some errors are transient: a second try may succeed.
        if (!(*opened)->commit(i) && !(*opened)->commit(i)) {
          report->begun = last;
          break;
        }
        last = i;
        store::Store& store = (*opened)->database().store();
        if (i % 3 == 0) {
          store.sync(store.applied());
          report->acknowledged = i;
        }
        if (i == first + commits / 2) (void)store.compact({}, {});
      }
      if (last + 1 < first + commits &&
          (*opened)->database().catalog()->all_collections().empty()) {
        return 0;  // the collection was not created
      }
      return is_right(**opened, last) ? 0 : 1;
    });
  }

  int check() {
    return in_child([&]() -> int {
      auto opened = Opened::open(place.data(), nullptr);
      if (!opened) return wrong(*report, "not opened: " + opened.error().message);
      const auto last = (*opened)->last();
      if (!last) return wrong(*report, "not read: " + last.error().message);
      // A commit that has failed with an error may be stored all the same.
      if (*last < report->acknowledged || *last > report->begun + 1) {
        return wrong(*report, fmt::format("{} is there, {} was acknowledged, {} begun", *last,
                                          report->acknowledged, report->begun));
      }
      return is_right(**opened, *last) ? 0 : 1;
    });
  }

  // Gives how many runs it took until nothing failed.
  std::uint64_t fail_each(Fault fault, bool is_new) {
    for (fault.nth = 1; fault.nth < runs_max; ++fault.nth) {
      begin(is_new);
      const int ended = work(fault, is_new ? 1 : commits_before + 1);
      EXPECT_TRUE(ended == 0 || ended == power_lost)
          << "call " << fault.nth << ": " << ended << " " << report->note;
      EXPECT_EQ(report->syncs_retried, 0u) << "call " << fault.nth;
      EXPECT_EQ(check(), 0) << "call " << fault.nth << ": " << report->note;
      if (::testing::Test::HasFailure()) break;
      if (report->failures == 0) return fault.nth;
    }
    return 0;
  }
};

struct Case {
  const char* name;
  bool is_new;
  bool is_sticky;
  bool is_no_space;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class FaultTest : public ::testing::TestWithParam<Case> {};

TEST_P(FaultTest, EachCallFailsOnceInItsRun) {
  const Case& c = GetParam();
  FaultScene scene;
  ASSERT_EQ(scene.prepare(), 0) << scene.report->note;
  const std::uint64_t runs =
      scene.fail_each({.is_sticky = c.is_sticky, .is_no_space = c.is_no_space}, c.is_new);
  EXPECT_GT(runs, 40u);
  std::printf("%s: %d runs\n", c.name, static_cast<int>(runs));
}

INSTANTIATE_TEST_SUITE_P(Disks, FaultTest,
                         ::testing::Values(Case{"new_once_error", true, false, false},
                                           Case{"new_for_good_error", true, true, false},
                                           Case{"new_once_full", true, false, true},
                                           Case{"new_for_good_full", true, true, true},
                                           Case{"again_once_error", false, false, false},
                                           Case{"again_for_good_error", false, true, false},
                                           Case{"again_once_full", false, false, true},
                                           Case{"again_for_good_full", false, true, true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(SyncFaultTest, ASyncOfTheLogThatFailsStopsTheProgramAndIsNotAskedAgain) {
  FaultScene scene;
  int stops = 0;
  for (std::uint64_t nth = 1; nth < runs_max; ++nth) {
    scene.begin(true);
    const int ended =
        scene.work({.nth = nth, .calls = static_cast<unsigned>(DiskOperation::sync)}, 1);
    if (scene.report->failures == 0) break;
    stops += ended == power_lost;
    ASSERT_EQ(scene.report->syncs_retried, 0u) << nth;
    ASSERT_EQ(scene.check(), 0) << nth << ": " << scene.report->note;
  }
  // Each third commit is synced by itself.
  EXPECT_GE(stops, static_cast<int>(commits / 3));
}

TEST(WriteFaultTest, AStoreThatAFaultHasStoppedTakesNoWrites) {
  FaultScene scene;
  scene.begin(true);
  const int ended = in_child([&]() -> int {
    const auto disk = std::make_shared<TestDisk>(scene.place.lost_and_found(), 1, *scene.report);
    const auto opened = Opened::open(scene.place.data(), disk);
    if (!opened || !(*opened)->commit(1)) return wrong(*scene.report, "not written");
    store::Store& store = (*opened)->database().store();
    if (!store::accepts_writes(store)) return wrong(*scene.report, "it takes no writes");
    disk->fail(
        {.nth = 1, .calls = static_cast<unsigned>(DiskOperation::append), .is_sticky = true});
    // What is committed goes to the file once the log's buffer is full.
    std::uint64_t i = 2;
    while (i < 5'000 && (*opened)->commit(i)) ++i;
    if (i == 5'000) return wrong(*scene.report, "all was written");
    const auto taken = store::accepts_writes(store);
    if (taken) return wrong(*scene.report, "it takes writes");
    if (taken.error().code == Code::no_space) return wrong(*scene.report, "for want of space");
    _exit(0);  // without closing anything
  });
  EXPECT_EQ(ended, 0) << scene.report->note;
}

}  // namespace
}  // namespace mayfly::crash
