// Damage of RocksDB's write-ahead log that the store survives, and damage that stops the opening.
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <condition_variable>
#include <mutex>

#include "store/rocks/rocks_testing.h"

namespace mayfly::store {
namespace {

TEST(RocksLogTest, ATornTailIsNoDamage) {
  const Directory directory, crashed("crashed"), longer("longer");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  crash_into(directory, crashed);
  fill(**store, 100, 101);
  crash_into(directory, longer);
  const fs::path log = files_of(crashed, ".log").back();
  const std::uint64_t acknowledged_bytes = fs::file_size(log);
  const std::uint64_t bytes = fs::file_size(files_of(longer, ".log").back());
  for (const std::uint64_t kept : {acknowledged_bytes + 3, acknowledged_bytes + 50, bytes - 1}) {
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

TEST(RocksLogTest, ALogThatEndsBeforeTheWatermarkStopsTheOpeningAndIsNamed) {
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

TEST(RocksLogTest, AMissingLastLogBesideOlderOnesStopsTheOpening) {
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

TEST(RocksLogTest, WithoutTheWatermarkALogIsReadToItsEnd) {
  const Directory directory, crashed("crashed");
  auto store = open_in(directory.path());
  ASSERT_TRUE(store);
  fill(**store, 0, 100);
  fill(**store, 100, 110);  // its commits say that the hundred before them were durable
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

TEST(RocksLogTest, AFlippedBitInTheLogStopsTheOpeningAndIsNamed) {
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

// Keeps RocksDB from flushing its buffers, so that more than one log is needed.
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

TEST(RocksLogTest, AMissingOlderLogStopsTheOpening) {
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

// Cuts the last record at its beginning, as a loss of power may do if nothing was synced.
void cut_last_record(const fs::path& log) {
  constexpr std::uint64_t block = 32 << 10, header = 7;
  std::ifstream file(log, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::uint64_t at = 0, last_begin = 0;
  while (at + header <= bytes.size()) {
    if (block - at % block < header) {
      at += block - at % block;  // the rest of a block has no record
      continue;
    }
    const auto byte = [&](std::uint64_t i) { return static_cast<std::uint8_t>(bytes[at + i]); };
    const bool begins = byte(6) == 1 || byte(6) == 2;  // complete, or the first of several parts
    if (begins) last_begin = at;
    at += header + byte(4) + (std::uint64_t{byte(5)} << 8);
  }
  fs::resize_file(log, last_begin);
}

TEST(RocksLogTest, NoRowsExistAfterAMissingCommit) {
  const Directory directory, crashed("crashed");
  int rows = 0;
  {
    auto store = open_in(directory.path(), 1 << 16);
    ASSERT_TRUE(store);
    const NoFlushes no_flushes;
    // Nothing is synced: a log is written out when a new one begins.
    while (files_of(directory, ".log").size() < 3)
      put(**store, {{key_of(rows), value_of(rows)}}), ++rows;
    crash_into(directory, crashed);
  }
  const auto logs = files_of(crashed, ".log");
  ASSERT_EQ(logs.size(), 3u);
  ASSERT_GT(fs::file_size(logs[1]), 10'000u);  // it has rows that must not come back alone
  cut_last_record(logs[0]);
  auto again = open_in(crashed.path());
  ASSERT_TRUE(again) << again.error().message;
  const int found = count_rows(**again, rows);
  EXPECT_GT(found, 0);
  // All existing rows precede the first missing one.
  for (int i = 0; i < rows; ++i) EXPECT_EQ(got(**again, key_of(i)) != "-", i < found) << i;
  EXPECT_LT(found, rows * 2 / 3);
}

}  // namespace
}  // namespace mayfly::store
