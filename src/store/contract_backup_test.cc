// The contract of backup(): a copy of one state, while commits continue.
#include <atomic>
#include <fstream>
#include <thread>

#include "store/contract_testing.h"

namespace mayfly::store {
namespace {

using testing::everything;
using testing::put;

class BackupContract : public StoreContract {
 protected:
  static std::unique_ptr<Store> open_copy(const std::string& directory) {
    auto opened = open({.data = directory, .free_disk_bytes_min = 0});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  static std::string code_of(const Result<Backup>& made) {
    return made ? "done" : name_of(made.error().code);
  }

  const testing::Directory copies_{"copies"};
};

class MemoryContract : public BackupContract {};

TEST_P(BackupContract, ACopyHasTheStateOfItsVersionAndNothingLater) {
  std::filesystem::create_directories(copies_.path());
  const std::string copy = copies_.path() / "a";
  put(store(), {{"a", "1"}, {"b", "1"}});
  put(store(), {{"a", ""}, {"c", "2"}});
  const auto made = store().backup(copy);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->version, 2u);
  EXPECT_GT(made->files, 2u);
  EXPECT_GT(made->bytes, 100u);
  put(store(), {{"b", "3"}, {"d", "3"}});
  {
    const auto opened = open_copy(copy);
    ASSERT_NE(opened, nullptr);
    EXPECT_EQ(opened->applied(), 2u);
    EXPECT_EQ(everything(*opened), "b=1@1 c=2@2");
    put(*opened, {{"e", "4"}});
  }
  // Changes of one do not affect the other.
  EXPECT_EQ(everything(*open_copy(copy)), "b=1@1 c=2@2 e=4@3");
  EXPECT_EQ(everything(store()), "b=3@3 c=2@2 d=3@3");
  reopen();
  EXPECT_EQ(everything(store()), "b=3@3 c=2@2 d=3@3");
}

TEST_P(BackupContract, ANewStoreCanBeCopied) {
  std::filesystem::create_directories(copies_.path());
  const std::string copy = copies_.path() / "a";
  const auto made = store().backup(copy);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->version, 0u);
  EXPECT_EQ(open_copy(copy)->applied(), 0u);
}

TEST_P(BackupContract, ACopyRefusesAnExistingDirectoryAndAMissingParent) {
  std::filesystem::create_directories(copies_.path() / "taken");
  EXPECT_EQ(code_of(store().backup(copies_.path() / "taken")), "exists");
  EXPECT_EQ(code_of(store().backup(copies_.path() / "none" / "a")), "invalid");
  std::ofstream(copies_.path() / "file") << "x";
  EXPECT_EQ(code_of(store().backup(copies_.path() / "file" / "a")), "invalid");
}

// Each commit writes two rows and removes the row that the commit before it wrote under a third
// name. So a copy with half a commit, or without one in between, is detected.
TEST_P(BackupContract, EveryCopyMadeWhileOthersCommitIsOneState) {
  std::filesystem::create_directories(copies_.path());
  // A small buffer makes tables and logs come and go meanwhile.
  const auto source = open({.data = copies_.path() / "source",
                            .write_buffer_bytes = 256 << 10,
                            .free_disk_bytes_min = 0});
  ASSERT_TRUE(source) << source.error().message;
  Store& store = **source;
  std::atomic<bool> enough{false};
  std::thread writer([&] {
    const std::string filler(20'000, 'x');
    for (int n = 1; !enough; ++n) {
      const Bytes i = std::to_string(n);
      put(store, {{"first", i},
                  {"last", i},
                  {"row" + i, filler},
                  {"w" + i, "1"},
                  {"w" + std::to_string(n - 1), ""}});
    }
  });
  while (store.applied() < 10) std::this_thread::yield();
  for (int i = 0; i < 8; ++i) {
    const std::string copy = copies_.path() / std::to_string(i);
    const auto made = store.backup(copy);
    ASSERT_TRUE(made) << made.error().message;
    const auto opened = open_copy(copy);
    ASSERT_NE(opened, nullptr);
    const std::string n = std::to_string(made->version);
    EXPECT_EQ(opened->applied(), made->version);
    EXPECT_EQ(testing::got(*opened, "first"), "first=" + n + "@" + n);
    EXPECT_EQ(testing::got(*opened, "last"), "last=" + n + "@" + n);
    EXPECT_EQ(testing::scanned(*opened, {.lo = "w", .hi = "x"}), "w" + n + "=1@" + n);
    std::uint64_t rows = 0;
    for (std::optional<Bytes> lo = "row"; lo;) {
      const auto reply =
          opened->read({.scans = {{.lo = *lo, .hi = "rox", .keys_only = true}}}, nullptr);
      ASSERT_TRUE(reply);
      rows += reply->scans[0].rows.size();
      lo = reply->scans[0].next;
    }
    EXPECT_EQ(rows, made->version);
  }
  enough = true;
  writer.join();
}

TEST_P(MemoryContract, AnEngineWithoutADiskMakesNoCopy) {
  std::filesystem::create_directories(copies_.path());
  EXPECT_EQ(code_of(store().backup(copies_.path() / "a")), "unsupported");
}

INSTANTIATE_TEST_SUITE_P(Engines, BackupContract, engines_on_disk(), name_of_engine);
INSTANTIATE_TEST_SUITE_P(Engines, MemoryContract,
                         ::testing::Values(Engine{"memory", false, false},
                                           Engine{"checked_memory", false, true}),
                         name_of_engine);

}  // namespace
}  // namespace mayfly::store
