// The fixture of the contract tests: each test runs on every engine, with and without checks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "store/open.h"
#include "store/testing.h"
#include "store/wrappers/checked.h"

namespace mayfly::store {

struct Engine {
  const char* name;
  bool on_disk;
  bool checked;
};

class StoreContract : public ::testing::TestWithParam<Engine> {
 protected:
  void SetUp() override { reopen(); }

  // An engine without a disk is empty afterwards.
  void reopen(std::size_t recent_writes_max = limits::recent_writes_max) {
    store_.reset();
    auto opened = open({.data = GetParam().on_disk ? directory_.text() : ":memory:",
                        .free_disk_bytes_min = 0,
                        .recent_writes_max = recent_writes_max});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    if (GetParam().checked) store_ = std::make_unique<CheckedStore>(std::move(store_));
  }

  Store& store() { return *store_; }

  // A commit that writes `key` under the guards.
  std::string guarded(Version since, std::vector<PointGuard> points,
                      std::vector<RangeGuard> ranges = {}, const Bytes& key = "written") {
    return testing::outcome(store().commit({.version = testing::next_version(store()),
                                            .since = since,
                                            .points = std::move(points),
                                            .ranges = std::move(ranges),
                                            .puts = {{key, "1"}}}));
  }

  RangeGuard guard_of(const Bytes& lo, const Bytes& hi) {
    RangeGuard guard{.lo = lo, .hi = hi};
    const auto reply = store().read({.scans = {{.lo = lo, .hi = hi}}}, nullptr);
    EXPECT_TRUE(reply);
    const Rows& rows = reply->scans[0].rows;
    guard.rows = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) guard.version_sum += rows[i].version;
    return guard;
  }

 private:
  testing::Directory directory_;
  std::unique_ptr<Store> store_;
};

inline auto every_engine() {
  return ::testing::Values(Engine{"memory", false, false}, Engine{"rocks", true, false},
                           Engine{"checked_memory", false, true},
                           Engine{"checked_rocks", true, true});
}

inline auto engines_on_disk() {
  return ::testing::Values(Engine{"rocks", true, false}, Engine{"checked_rocks", true, true});
}

inline std::string name_of_engine(const ::testing::TestParamInfo<Engine>& info) {
  return info.param.name;
}

// Makes a failure name the engine.
inline void PrintTo(const Engine& engine, std::ostream* out) {
  *out << engine.name;
}

}  // namespace mayfly::store
