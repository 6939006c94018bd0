// Damage of RocksDB's files that the store survives, and damage that it must report.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "store/rocks/rocks_testing.h"

namespace mayfly::store {
namespace {

TEST(RocksStoreTest, SyncedCommitsSurviveACrash) {
  const Directory directory, crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  put(**store, {{"unsynced", "1"}});
  crash_into(directory, crashed);
  auto again = open_in(crashed.path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(count_rows(**again, 100), 100);
  EXPECT_GE((*again)->applied(), 100u);
  EXPECT_EQ((*again)->durable(), (*again)->applied());
  EXPECT_EQ(got(**again, "unsynced") == "-", (*again)->applied() == 100);
}

TEST(RocksStoreTest, ErasedRangesStayErasedAfterACrash) {
  const Directory directory, crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  ASSERT_TRUE((*store)->erase_range(key_of(0), key_of(60)));
  crash_into(directory, crashed);
  auto again = open_in(crashed.path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(count_rows(**again, 100), 40);
}

// The replayed log has rows and erased ranges with the same key prefix.
TEST(RocksStoreTest, RowsAmongErasedRangesSurviveACrash) {
  const Directory directory;
  const Directory crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  for (int i = 0; i < 10; ++i) {
    put(**store, {{"likewise" + std::to_string(i), "1"}});
    ASSERT_TRUE((*store)->erase_range("likewise3", "likewise6"));
  }
  put(**store, {{"likewise4", "2"}});
  (*store)->sync((*store)->applied());
  crash_into(directory, crashed);
  auto again = open_in(crashed.path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(everything(**again), everything(**store));
}

// Data that was being written at a loss of power, and was not acknowledged to any client.
TEST(RocksStoreTest, AFlippedBitInATableIsNeverAWrongAnswer) {
  constexpr int rows = 2'000;
  const Directory directory;
  {
    auto store = open_in(directory.path());
    ASSERT_TRUE(store);
    fill(**store, 0, rows);
    ASSERT_TRUE((*store)->compact("", ""));
  }
  const auto tables = files_of(directory, ".sst");
  ASSERT_EQ(tables.size(), 1u);
  flip_bit(tables[0], fs::file_size(tables[0]) / 2);
  auto store = open_in(directory.path());
  ASSERT_TRUE(store) << store.error().message;
  int corrupt = 0;
  for (int i = 0; i < rows; ++i) {
    Bytes value;
    const auto version = (*store)->get(key_of(i), value, nullptr);
    if (version) {
      EXPECT_EQ(*version, static_cast<Version>(i + 1));
      EXPECT_TRUE(value == value_of(i));
      continue;
    }
    ++corrupt;
    EXPECT_EQ(version.error().code, Code::corrupt);
    EXPECT_NE(version.error().message.find(tables[0].filename().string()), std::string::npos)
        << version.error().message;
  }
  EXPECT_GT(corrupt, 0);
  EXPECT_LT(corrupt, 50);
  for (const bool reverse : {false, true}) {
    const auto all = (*store)->read(
        {.scans = {{.rows_max = rows, .bytes_max = 1 << 30, .reverse = reverse}}}, nullptr);
    ASSERT_FALSE(all);
    EXPECT_EQ(all.error().code, Code::corrupt);
  }
  std::vector<Bytes> keys;
  for (int i = 0; i < rows; ++i) keys.push_back(key_of(i));
  const auto many = (*store)->read({.gets = keys}, nullptr);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Code::corrupt);
  // The range guard reads the rows, because the store has just been opened, and must find the
  // damage as well.
  const auto guarded = (*store)->commit(
      {.version = rows + 1, .since = 1, .ranges = {{.rows = rows}}, .puts = {{"w", "1"}}});
  ASSERT_FALSE(guarded);
  EXPECT_EQ(guarded.error().code, Code::corrupt);
}

TEST(RocksStoreTest, AMissingFileStopsTheOpening) {
  const Directory directory;
  {
    auto store = open_in(directory.path());
    ASSERT_TRUE(store);
    fill(**store, 0, 100);
    ASSERT_TRUE((*store)->compact("", ""));
    put(**store, {{"a", "1"}});
  }
  for (const char* extension : {".sst", ".log", "CURRENT", "MANIFEST"}) {
    const Directory damaged("damaged");
    crash_into(directory, damaged);
    for (const auto& file : fs::directory_iterator(directory.path())) {
      const std::string name = file.path().filename().string();
      if (name.find(extension) != name.npos) fs::remove(damaged.path() / name);
    }
    const auto again = open_in(damaged.path());
    ASSERT_FALSE(again) << extension;
    EXPECT_EQ(again.error().code, Code::corrupt) << extension << ": " << again.error().message;
  }
}

TEST(RocksStoreTest, ASecondOpeningIsRefused) {
  const Directory directory;
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  const auto second = open_in(directory.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::internal);
  EXPECT_NE(second.error().message.find("in use"), std::string::npos) << second.error().message;
  store->reset();
  EXPECT_TRUE(open_in(directory.path()));
}

TEST(RocksStoreTest, PathsThatCannotBeUsedAreRefused) {
  const Directory directory;
  fs::create_directories(directory.path());
  const fs::path file = directory.path() / "file";
  std::ofstream(file) << "text";
  struct Case {
    std::string path;
    const char* why;
  };
  for (const Case& c : std::vector<Case>{{"", "no name"},
                                         {file.string(), "cannot hold"},
                                         {(file / "below").string(), "cannot hold"},
                                         {"/proc/no", "cannot hold"}}) {
    const auto opened = open({.data = c.path});
    ASSERT_FALSE(opened) << c.path;
    EXPECT_EQ(opened.error().code, Code::invalid) << c.path;
    EXPECT_NE(opened.error().message.find(c.why), std::string::npos) << opened.error().message;
  }
}

TEST(RocksStoreTest, ADirectoryOfANewerFormatIsRefused) {
  const Directory directory;
  const fs::path data = directory.path() / "made" / "on" / "the" / "way";
  ASSERT_TRUE(open_in(data));
  ASSERT_TRUE(open_in(data));
  std::ofstream(data / "MAYFLY") << "mayfly data, format 2\n";
  const auto opened = open_in(data);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::invalid);
  EXPECT_NE(opened.error().message.find("newer"), std::string::npos);
}

TEST(RocksStoreTest, AnOpenSnapshotOutlivesTheStore) {
  const Directory directory;
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  put(**store, {{"a", "1"}});
  SnapshotPtr snapshot = (*store)->snapshot();
  store->reset();
  EXPECT_FALSE(open_in(directory.path()));
  snapshot.reset();
  auto again = open_in(directory.path());
  ASSERT_TRUE(again);
  EXPECT_EQ(everything(**again), "a=1@1");
}

// --- a process that is killed ---

constexpr const char* directory_variable = "MAYFLY_TEST_DIRECTORY";
constexpr int acknowledgements = 3;  // the writer's end of the pipe

// The process that the next test starts and kills. It runs before any test.
bool write_until_killed() {
  const char* path = std::getenv(directory_variable);
  if (path == nullptr) return false;
  auto store = open_in(path, 1 << 16);
  if (!store) _exit(1);
  for (int i = static_cast<int>((*store)->applied());; ++i) {
    put(**store, {{key_of(i), value_of(i)}});
    (*store)->sync((*store)->applied());
    const int rows = i + 1;
    if (write(acknowledgements, &rows, sizeof rows) != static_cast<ssize_t>(sizeof rows)) _exit(1);
  }
}
[[maybe_unused]] const bool is_writer = write_until_killed();

pid_t start_writer(const std::string& path, int pipe_end) {
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(pipe_end, acknowledgements);
  setenv(directory_variable, path.c_str(), 1);
  execl("/proc/self/exe", "store_test", nullptr);
  _exit(127);
}

TEST(RocksStoreTest, AKilledProcessLosesNoSyncedCommits) {
  const Directory directory;
  int rows = 0;
  for (int round = 0; round < 6; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
    const pid_t child = start_writer(directory.text(), pipe_ends[1]);
    close(pipe_ends[1]);
    // It is killed at any point after it has reported so many rows.
    const int until = rows + 30 + 17 * round;
    while (rows < until && read(pipe_ends[0], &rows, sizeof rows) == sizeof rows) continue;
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &rows, sizeof rows) == sizeof rows) continue;
    close(pipe_ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    ASSERT_GE(rows, until);
  }
  auto store = open_in(directory.path());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(count_rows(**store, rows), rows);
}

}  // namespace
}  // namespace mayfly::store
