#include "bench/raw_rocks.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "bench/rows.h"

namespace mayfly::bench {
namespace {

std::string key_of(std::uint64_t n) {
  std::string key("d\0\0\0\1\0\1", 7);
  key += "doc" + std::to_string(n);
  return key;
}

// The queue key of a future end, which precedes the document's own key.
std::string queue_key(std::uint64_t instant, std::uint64_t n) {
  std::string key("q\0\0\0\1a", 6);
  put_u64(key, instant);
  return key + key_of(n);
}

constexpr int rows_at_once = 1'000;
constexpr std::uint64_t one_instant = 1'800'000'000'000'000;
constexpr std::uint64_t no_end = 0;

// Calls a second of `work`, run from this many threads until the time is over.
template <class Work>
double per_second(int threads, double seconds, const Work& work) {
  std::atomic<std::uint64_t> done{0};
  const Instant began = monotonic_now();
  const Instant end = began + Span{static_cast<std::int64_t>(seconds * 1e6)};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      std::uint64_t own = 0;
      while (monotonic_now() < end) {
        for (int i = 0; i < 16; ++i) work(t, own++);
      }
      done += own;
    });
  }
  for (std::thread& worker : workers) worker.join();
  return double(done) * 1e6 / double((monotonic_now() - began).micros);
}

}  // namespace

struct RawRocks::Inner {
  std::unique_ptr<rocksdb::DB> db;
  std::atomic<std::uint64_t> written{1ULL << 40};
};

RawRocks::RawRocks(const std::string& directory) : inner_(std::make_unique<Inner>()) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kLZ4Compression;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(256 << 20);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* db = nullptr;
  CHECK(rocksdb::DB::Open(options, directory, &db).ok());
  inner_->db.reset(db);
}

RawRocks::~RawRocks() = default;

void RawRocks::fill(std::uint64_t rows) {
  write(rows, [](std::uint64_t) { return no_end; });
  compact();
}

void RawRocks::fill_half_dying(std::uint64_t rows) {
  write(rows, [](std::uint64_t n) { return n % 2 == 0 ? one_instant : no_end; });
  compact();
}

double RawRocks::load_dying(std::uint64_t rows) {
  const Instant began = monotonic_now();
  write(rows, [](std::uint64_t n) { return one_instant + Random(n + 1).below(3'600'000'000); });
  return double(rows) * 1e6 / double((monotonic_now() - began).micros);
}

template <class EndOf>
void RawRocks::write(std::uint64_t rows, const EndOf& end_of) {
  rocksdb::WriteBatch batch;
  for (std::uint64_t n = 0; n < rows; ++n) {
    batch.Put(key_of(n), sample_json(300, n));
    const std::uint64_t end = end_of(n);
    if (end != no_end) batch.Put(queue_key(end, n), "");
    if (batch.Count() >= rows_at_once || n + 1 == rows) {
      CHECK(inner_->db->Write({}, &batch).ok());
      batch.Clear();
    }
  }
}

void RawRocks::remove_half(std::uint64_t rows) {
  rocksdb::WriteBatch batch;
  for (std::uint64_t n = 0; n < rows; n += 2) {
    batch.Delete(queue_key(one_instant, n));
    batch.Delete(key_of(n));
    if (batch.Count() >= rows_at_once || n + 2 >= rows) {
      CHECK(inner_->db->Write({}, &batch).ok());
      batch.Clear();
    }
  }
  CHECK(inner_->db->FlushWAL(true).ok());
}

void RawRocks::compact() {
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  CHECK(inner_->db->CompactRange(options, nullptr, nullptr).ok());
}

double RawRocks::synced_writes(int threads, double seconds, const std::string& value) {
  rocksdb::WriteOptions synced;
  synced.sync = true;
  const auto write = [&](int, std::uint64_t) {
    const std::uint64_t n = inner_->written++;
    rocksdb::WriteBatch batch;
    batch.Put(key_of(n), value);
    batch.Put(queue_key(n, n), "");
    CHECK(inner_->db->Write(synced, &batch).ok());
  };
  return per_second(threads, seconds, write);
}

double RawRocks::gets(int threads, double seconds, std::uint64_t rows) {
  std::vector<std::unique_ptr<Random>> randoms;
  for (int t = 0; t < threads; ++t) randoms.push_back(std::make_unique<Random>(t + 1));
  const auto get = [&](int thread, std::uint64_t) {
    std::string value;
    CHECK(
        inner_->db->Get({}, key_of(randoms[static_cast<std::size_t>(thread)]->below(rows)), &value)
            .ok());
  };
  return per_second(threads, seconds, get);
}

double RawRocks::iterate(std::uint64_t& rows) {
  rows = 0;
  std::uint64_t bytes = 0;
  const Instant began = monotonic_now();
  const std::unique_ptr<rocksdb::Iterator> it(inner_->db->NewIterator({}));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ++rows;
    bytes += it->value().size();
  }
  CHECK(it->status().ok() && bytes > 0);
  return double(rows) * 1e6 / double((monotonic_now() - began).micros);
}

}  // namespace mayfly::bench
