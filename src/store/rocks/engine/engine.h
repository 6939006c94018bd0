// RocksEngine: the Store on an open RocksDB. rocks_open.cc creates it; in this folder read.cc
// reads, commit.cc writes, estimate.cc estimates and backup.cc copies.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "store/rocks/engine/compaction_filters.h"
#include "store/rocks/engine/group_sync.h"
#include "store/rocks/engine/recent_writes.h"
#include "store/rocks/engine/row_hints.h"
#include "store/rocks/free_space.h"
#include "store/rocks/log/durability_watermark.h"
#include "store/rocks/rocks_store.h"
#include "store/wrappers/accepts_writes.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Snapshot;
class Status;
class WriteBatch;
struct ReadOptions;
}  // namespace rocksdb

namespace mayfly::store {

// Disables RocksDB's counters of comparisons and reads for this thread (perf_context.h), which it
// would update once for each key on the way to a row. Nothing here reads them. Call it before a
// read or a commit.
void count_nothing();

class RocksEngine final : public Store, public AcceptsWrites {
 public:
  // `applied` is the version of the newest commit in `db`; all of it is durable.
  RocksEngine(std::shared_ptr<rocksdb::DB> db, std::shared_ptr<CompactionFilters> filters,
              std::unique_ptr<DurabilityWatermark> watermark, std::shared_ptr<RowHints> hints,
              const RocksOptions& options, Version applied);
  ~RocksEngine() override;

  const Limits& limits() const override { return limits_; }
  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override;
  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override;
  SnapshotPtr snapshot() override;
  Result<void> commit(const CommitBatch& batch) override;
  Version applied() const override { return applied_.load(std::memory_order_acquire); }
  Version durable() const override { return group_sync_.durable(); }
  void sync(Version version) override;
  Result<std::uint64_t> estimate(BytesView lo, BytesView hi) override;
  Result<void> erase_range(BytesView lo, BytesView hi) override;
  void set_forget(std::shared_ptr<ForgetFilterMaker> maker) override;
  Result<void> compact(BytesView lo, BytesView hi) override;
  void interrupt_compaction() override;
  Result<Backup> backup(const std::string& directory) override;
  Stats stats() const override;
  Result<void> accepts_writes() override;

 private:
  Result<Rows> read_rows(const std::vector<Bytes>& keys, const rocksdb::Snapshot* at) const;
  Result<Page> scan(const Range& range, const rocksdb::Snapshot* at) const;
  // The version in the snapshot's version row; nullopt if it cannot be read.
  std::optional<Version> version_at(const rocksdb::Snapshot* at) const;

  Result<void> admit(const CommitBatch& batch);
  // With commit_mutex_ held:
  Result<void> check_guards(const CommitBatch& batch) const;
  Result<bool> holds(const PointGuard& guard) const;
  Result<bool> holds(const RangeGuard& guard) const;
  Result<void> write(const CommitBatch& batch, rocksdb::WriteBatch& rows);

  Result<void> drop_range(BytesView lo, BytesView hi);
  void flush_log();
  // Copies the files; commits wait meanwhile. Returns the version of the newest commit.
  Result<Version> copy_files(const std::string& directory);

  const Limits limits_;
  const std::shared_ptr<rocksdb::DB> db_;  // shared with the open snapshots
  rocksdb::ColumnFamilyHandle* const rows_;
  const std::shared_ptr<CompactionFilters> filters_;
  const std::shared_ptr<RowHints> hints_;
  FreeSpace free_space_;

  // One commit at a time checks its guards and applies its rows under this mutex. sync() waits for
  // the disk without it. erase_range() and backup() hold it while they wait for the disk, and so
  // does a commit that RocksDB stalls.
  std::mutex commit_mutex_;
  RecentWrites recent_;
  // Set permanently by a write that failed for another reason than space; guarded by the mutex.
  std::optional<Error> broken_;
  std::atomic<bool> is_broken_{
      false};  // set after `broken_`, which may then be read without the mutex
  // `applying_` is the commit being applied; `applied_` follows once readers can see it. A snapshot
  // for which both are equal knows its version.
  std::atomic<Version> applying_;
  std::atomic<Version> applied_;

  const std::unique_ptr<DurabilityWatermark> watermark_;
  GroupSync group_sync_;

  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> syncs_{0};
};

}  // namespace mayfly::store
