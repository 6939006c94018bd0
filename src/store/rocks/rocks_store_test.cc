// What RocksDB's files survive, and what they must not survive in silence.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>

#include "store/open.h"
#include "store/testing.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;
using testing::Directory;
using testing::everything;
using testing::got;
using testing::put;

Result<std::unique_ptr<Store>> open_in(const fs::path& path, std::size_t write_buffer = 1 << 20) {
  return open(
      {.data = path.string(), .write_buffer_bytes = write_buffer, .free_disk_bytes_min = 0});
}

// What a crash leaves: the files as they are, while the store is still open.
void crash_into(const Directory& from, const Directory& to) {
  fs::create_directories(to.path());
  for (const auto& file : fs::directory_iterator(from.path())) {
    fs::copy_file(file.path(), to.path() / file.path().filename());
  }
}

std::vector<fs::path> files_of(const Directory& directory, const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& file : fs::directory_iterator(directory.path())) {
    if (file.path().extension() == extension) found.push_back(file.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void flip_bit(const fs::path& path, std::uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const char flipped = static_cast<char>(file.get() ^ 0x10);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(flipped);
  ASSERT_TRUE(file.good());
}

Bytes key_of(int i) {
  Bytes key = "k";
  put_u32(key, static_cast<std::uint32_t>(i));
  return key;
}

Bytes value_of(int i) {
  Bytes value = std::to_string(i);
  // Bytes that do not compress, so that files have a size.
  std::uint64_t state = static_cast<std::uint64_t>(i) + 1;
  while (value.size() < 300) put_u64(value, state *= 6'364'136'223'846'793'005u);
  return value;
}

void fill(Store& store, int from, int to) {
  for (int i = from; i < to; ++i) put(store, {{key_of(i), value_of(i)}});
  store.sync(store.applied());
}

// How many of the rows are there; none of them may be wrong.
int count_rows(Store& store, int rows) {
  int found = 0;
  for (int i = 0; i < rows; ++i) {
    Bytes value;
    const auto version = store.get(key_of(i), value, nullptr);
    if (!version || *version == 0) continue;
    EXPECT_TRUE(value == value_of(i));
    ++found;
  }
  return found;
}

TEST(RocksStoreTest, WhatWasSyncedSurvivesACrash) {
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

// The log that is replayed holds rows and ranges whose keys begin alike.
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

// What was being written when the power went, and had been promised to nobody.
TEST(RocksStoreTest, ATornTailIsNoDamage) {
  const Directory directory, crashed("crashed"), longer("longer");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  crash_into(directory, crashed);
  fill(**store, 100, 101);
  crash_into(directory, longer);
  const fs::path log = files_of(crashed, ".log").back();
  const std::uint64_t promised_bytes = fs::file_size(log);
  const std::uint64_t bytes = fs::file_size(files_of(longer, ".log").back());
  for (const std::uint64_t kept : {promised_bytes + 3, promised_bytes + 50, bytes - 1}) {
    for (const bool ends_in_zeros : {false, true}) {
      const Directory torn("torn");
      crash_into(crashed, torn);
      const fs::path tail = files_of(torn, ".log").back();
      fs::copy_file(files_of(longer, ".log").back(), tail, fs::copy_options::overwrite_existing);
      fs::resize_file(tail, kept);
      if (ends_in_zeros) fs::resize_file(tail, bytes);
      auto again = open_in(torn.path());
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(count_rows(**again, 101), 100);
      EXPECT_EQ((*again)->applied(), 100u);
    }
  }
}

TEST(RocksStoreTest, ALogThatEndsBeforeWhatWasPromisedStopsTheOpeningAndIsNamed) {
  const Directory directory, crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  crash_into(directory, crashed);
  const fs::path log = files_of(crashed, ".log").back();
  for (const int less : {1, 100, 10'000}) {
    const Directory cut("cut");
    crash_into(crashed, cut);
    const fs::path tail = files_of(cut, ".log").back();
    fs::resize_file(tail, fs::file_size(tail) - less);
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto again = open_in(cut.path());
      ASSERT_FALSE(again);
      EXPECT_EQ(again.error().code, Code::corrupt);
      EXPECT_NE(again.error().message.find(tail.string()), std::string::npos)
          << again.error().message;
      EXPECT_NE(again.error().message.find("commit 100 had been acknowledged"), std::string::npos);
    }
  }
}

TEST(RocksStoreTest, TheLastLogGoneBesideOlderOnesStopsTheOpening) {
  const Directory directory, crashed("crashed");
  {
    auto store = open_in(directory.path());
    ASSERT_TRUE(store);
    fill(**store, 0, 100);
  }
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 100, 110);
  crash_into(directory, crashed);
  fs::remove(files_of(crashed, ".log").back());
  std::ofstream(crashed.path() / "000001.log");
  const auto again = open_in(crashed.path());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::corrupt);
  EXPECT_NE(again.error().message.find("a later one (*.log) is missing"), std::string::npos)
      << again.error().message;
}

TEST(RocksStoreTest, WithoutThePromisedVersionALogIsReadAsFarAsItTells) {
  const Directory directory, crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  fill(**store, 100, 110);  // its commits tell that the hundred before them were durable
  crash_into(directory, crashed);
  fs::remove(crashed.path() / "MAYFLY.promised");
  const fs::path log = files_of(crashed, ".log").back();
  const Directory damaged("damaged");
  crash_into(crashed, damaged);
  flip_bit(damaged.path() / log.filename(), fs::file_size(log) / 2);
  EXPECT_FALSE(open_in(damaged.path()));
  auto again = open_in(crashed.path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(count_rows(**again, 110), 110);
  EXPECT_TRUE(fs::exists(crashed.path() / "MAYFLY.promised"));
}

TEST(RocksStoreTest, AFlippedBitInTheLogStopsTheOpeningAndIsNamed) {
  const Directory directory, crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 500);
  crash_into(directory, crashed);
  const fs::path log = files_of(crashed, ".log").back();
  flip_bit(log, fs::file_size(log) / 2);
  const auto again = open_in(crashed.path());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::corrupt);
  EXPECT_NE(again.error().message.find(log.string()), std::string::npos) << again.error().message;
  EXPECT_NE(again.error().message.find("backup"), std::string::npos);
}

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
  // The range guard reads the rows, since the store has just been opened, and does not pass over
  // the damage either.
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

// Keeps RocksDB from flushing its buffers while it lives, so that more than one log is needed.
class NoFlushes {
 public:
  NoFlushes() {
    rocksdb::Env::Default()->SetBackgroundThreads(1, rocksdb::Env::HIGH);
    rocksdb::Env::Default()->Schedule(&NoFlushes::wait, this, rocksdb::Env::HIGH);
  }
  ~NoFlushes() {
    std::unique_lock lock(mutex_);
    over_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return left_; });
  }

 private:
  static void wait(void* self) {
    auto* gate = static_cast<NoFlushes*>(self);
    std::unique_lock lock(gate->mutex_);
    gate->changed_.wait(lock, [gate] { return gate->over_; });
    gate->left_ = true;
    gate->changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  bool left_ = false;
};

TEST(RocksStoreTest, AMissingOlderLogStopsTheOpening) {
  const Directory directory, crashed("crashed");
  {
    auto store = open_in(directory.path(), 1 << 18);
    ASSERT_TRUE(store);
    const NoFlushes no_flushes;
    for (int i = 0; files_of(directory, ".log").size() < 2; i += 10) fill(**store, i, i + 10);
    put(**store, {{"z", "1"}});
    (*store)->sync((*store)->applied());
    crash_into(directory, crashed);
  }
  const auto logs = files_of(crashed, ".log");
  ASSERT_EQ(logs.size(), 2u);
  const Directory whole("whole");
  crash_into(crashed, whole);
  EXPECT_TRUE(open_in(whole.path()));
  fs::remove(logs[0]);
  const auto again = open_in(crashed.path());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::corrupt);
  EXPECT_NE(again.error().message.find("Missing WAL"), std::string::npos) << again.error().message;
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

// What the process does that the next test starts and kills. It runs before any test does.
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

TEST(RocksStoreTest, AProcessThatIsKilledLosesNothingItHasSynced) {
  const Directory directory;
  int rows = 0;
  for (int round = 0; round < 6; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
    const pid_t child = start_writer(directory.text(), pipe_ends[1]);
    close(pipe_ends[1]);
    // It dies at whatever it does next after it has told of so many rows.
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
