// Tests of `mayfly repair` on directories that no server creates; test/crash/repair_test.py has the
// other tests.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/commands/commands.h"
#include "db/database.h"
#include "db/rows/format.h"
#include "db/rows/keys.h"
#include "store/open.h"
#include "store/repair.h"
#include "store/testing.h"

namespace mayfly::app {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::pair<Bytes, Bytes>>;

class RepairCommandTest : public ::testing::Test {
 protected:
  void write(const Rows& rows) {
    const auto store = store::open({.data = directory.text(), .free_disk_bytes_min = 0});
    ASSERT_TRUE(store);
    store::testing::put(**store, rows);
  }
  // Gives the exit status.
  int repair(const std::string& flags) {
    CLI::App verb;
    const auto run = add_repair(verb);
    verb.parse("--data " + directory.text() + " " + flags);
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = run();
    std::fflush(stdout);
    said = ::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr();
    return status;
  }
  bool has_said(const std::string& text) const { return said.find(text) != said.npos; }

  store::testing::Directory directory;
  std::string said;
};

TEST_F(RepairCommandTest, ADirectoryOfANewerFormatIsNotChanged) {
  write({{keys::format(), "mayfly 9"}});
  fs::remove(directory.path() / "MAYFLY");
  for (const char* flags : {"", "--accept-loss"}) {
    EXPECT_EQ(repair(flags), 1);
    EXPECT_TRUE(has_said("the data directory holds the format 'mayfly 9'")) << said;
    EXPECT_FALSE(fs::exists(directory.path() / "MAYFLY"));
    EXPECT_FALSE(fs::exists(directory.path() / "lost-1"));
  }
}

TEST_F(RepairCommandTest, UndoWithoutAnInterruptedRepairChangesNothing) {
  write({{keys::format(), Bytes(format_name)}});
  ASSERT_TRUE(store::undo_repair(directory.text()));
  EXPECT_TRUE(fs::exists(directory.path() / "CURRENT"));
  EXPECT_EQ(repair(""), 0);
  EXPECT_TRUE(has_said("nothing is damaged")) << said;
}

TEST_F(RepairCommandTest, RecountMakesTheNextStartCountTheDocumentsAgain) {
  CollectionId collection = 0;
  {
    auto store = store::open({.data = directory.text(), .free_disk_bytes_min = 0});
    ASSERT_TRUE(store);
    const ManualClock clock(Instant{1'000'000'000});
    const auto database = Database::open(std::move(*store), clock);
    ASSERT_TRUE(database);
    const auto place = (*database)->create_database("app");
    ASSERT_TRUE(place);
    const auto made = (*database)->create_collection((*place)->id, {"sessions"});
    ASSERT_TRUE(made);
    collection = (*made)->id;
  }
  const auto is_counted = [&] {
    const auto store = store::open({.data = directory.text(), .free_disk_bytes_min = 0});
    Bytes state;
    EXPECT_TRUE((*store)->get(keys::ledger_state(collection), state, nullptr));
    return state != Bytes(1, '\0');
  };
  EXPECT_EQ(repair(""), 0);
  EXPECT_TRUE(is_counted());
  EXPECT_EQ(repair("--recount"), 0);
  EXPECT_TRUE(has_said("nothing is damaged\nthe next start counts the documents of 1 ")) << said;
  EXPECT_FALSE(is_counted());
}

TEST_F(RepairCommandTest, FormerIndexEntriesAreNamed) {
  write({{keys::past(7, 1) + "x", "y"}});
  for (const auto& file : fs::directory_iterator(directory.path())) {
    if (file.path().extension() == ".sst") fs::remove(file.path());
  }
  constexpr int damaged = 4;
  EXPECT_EQ(repair(""), damaged);
  EXPECT_TRUE(
      has_said("between the first row of the data and former index entries of collection 7"))
      << said;
}

}  // namespace
}  // namespace mayfly::app
