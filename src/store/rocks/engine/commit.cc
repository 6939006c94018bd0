// RocksEngine: commits, durability, and compaction.
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <utility>

#include "base/check.h"
#include "base/service/kill_point.h"
#include "store/batch.h"
#include "store/rocks/engine/engine.h"
#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"

namespace mayfly::store {
namespace {

// The cost of checking a range guard without reading the rows. Checking one recent write is about a
// hundred times cheaper than opening an iterator, and a few times cheaper than reading a row with
// it.
constexpr std::size_t writes_per_iterator = 1'000;
constexpr std::size_t writes_per_row = 100;

rocksdb::Slice slice(BytesView bytes) {
  return {bytes.data(), bytes.size()};
}

Result<void> checked(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return {};
  return tl::unexpected(error_of(status, doing));
}

rocksdb::WriteBatch encode(const CommitBatch& batch, const VersionRow& version_row) {
  constexpr std::size_t overhead = 32;
  std::size_t bytes = 3 * overhead;
  for (const Put& put : batch.puts) bytes += put.key.size() + put.value.size() + overhead;
  for (const Bytes& key : batch.removals) bytes += key.size() + overhead;

  rocksdb::WriteBatch rows(bytes);
  const auto version = encode_version(batch.version);
  const rocksdb::Slice version_slice(version.data(), version.size());
  const auto first = encode_version_row(version_row);
  rows.Put(slice(version_key), rocksdb::Slice(first.data(), first.size()));
  for (const Put& put : batch.puts) {
    const rocksdb::Slice key = put.key;
    const rocksdb::Slice stored[] = {version_slice, put.value};
    rows.Put(rocksdb::SliceParts(&key, 1), rocksdb::SliceParts(stored, 2));
  }
  for (const Bytes& key : batch.removals) rows.Delete(key);
  return rows;
}

void check_keys(const CommitBatch& batch) {
  for (const Put& put : batch.puts) CHECK(!put.key.empty());
  for (const Bytes& key : batch.removals) CHECK(!key.empty());
}

}  // namespace

RocksEngine::RocksEngine(std::shared_ptr<rocksdb::DB> db,
                         std::shared_ptr<CompactionFilters> filters,
                         std::unique_ptr<DurabilityWatermark> watermark,
                         std::shared_ptr<RowHints> hints, const RocksOptions& options,
                         Version applied)
    : db_(std::move(db)),
      rows_(db_->DefaultColumnFamily()),
      filters_(std::move(filters)),
      hints_(std::move(hints)),
      free_space_(options.directory, options.disk_probe, options.monotonic,
                  {options.write_buffer_bytes, options.free_disk_bytes_min}),
      recent_(options.recent_writes_max, applied),
      applying_(applied),
      applied_(applied),
      watermark_(std::move(watermark)),
      group_sync_(applied, [this] {
        const Version reached = this->applied();  // everything applied before is in the log
        flush_log();
        watermark_->raise(reached);
        return reached;
      }) {
  hints_->turn_on();
}

RocksEngine::~RocksEngine() {
  KILL_POINT("close.begun");
  filters_->set(nullptr);
  // With an empty log the next open has nothing to replay. If this fails, the log still has
  // everything. No write follows that could be stalled: otherwise the flush would wait for
  // compactions, which wait themselves on a full disk.
  rocksdb::FlushOptions flush_options;
  flush_options.allow_write_stall = true;
  const rocksdb::Status flushed = db_->Flush(flush_options);
  KILL_POINT("close.buffers_flushed");
  const rocksdb::Status synced = db_->FlushWAL(true);
  KILL_POINT("close.synced");
  if (!flushed.ok() && !synced.ok()) stop_unsynced(synced);
  watermark_->raise(applied());
  watermark_->sync();
  // Open snapshots may keep the database for a while, but no background work runs any more.
  rocksdb::CancelAllBackgroundWork(db_.get(), true);
}

// --- commit ---

Result<bool> RocksEngine::holds(const PointGuard& guard) const {
  rocksdb::PinnableSlice stored;
  const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), rows_, slice(guard.key), &stored);
  if (status.IsNotFound()) return guard.seen == 0;
  TRY(checked(status, "checking a guard"));
  const std::optional<StoredRow> row = decode_row({stored.data(), stored.size()});
  if (!row) return tl::unexpected(malformed_row());
  return row->version == guard.seen;
}

Result<bool> RocksEngine::holds(const RangeGuard& guard) const {
  if (!guard.hi.empty() && guard.hi <= guard.lo) return guard.rows == 0;
  const rocksdb::Slice lower = guard.lo.empty() ? slice(first_key) : slice(guard.lo);
  const rocksdb::Slice upper = slice(guard.hi);
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  if (!guard.hi.empty()) options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> row(db_->NewIterator(options, rows_));
  std::uint64_t rows = 0;
  std::uint64_t version_sum = 0;
  for (row->SeekToFirst(); row->Valid() && rows <= guard.rows; row->Next()) {
    const std::optional<StoredRow> stored = decode_row({row->value().data(), row->value().size()});
    if (!stored) return tl::unexpected(malformed_row());
    ++rows;
    version_sum += stored->version;
  }
  TRY(checked(row->status(), "checking a guard"));
  return rows == guard.rows && version_sum == guard.version_sum;
}

Result<void> RocksEngine::check_guards(const CommitBatch& batch) const {
  for (const PointGuard& guard : batch.points) {
    if (recent_.unwritten_since(batch.since, guard.key) || TRY(holds(guard))) continue;
    return fail(Code::contended, "a row that was read has changed");
  }
  for (const RangeGuard& guard : batch.ranges) {
    const std::size_t writes_max = writes_per_iterator + writes_per_row * guard.rows;
    if (recent_.unwritten_since(batch.since, guard, writes_max) || TRY(holds(guard))) continue;
    return fail(Code::contended, "a range that was read has changed");
  }
  return {};
}

Result<void> RocksEngine::write(const CommitBatch& batch, rocksdb::WriteBatch& rows) {
  KILL_POINT("commit.before_wal");
  applying_.store(batch.version);
  const rocksdb::Status status = db_->Write(rocksdb::WriteOptions(), &rows);
  if (!status.ok()) {
    applying_.store(applied());
    Error error = error_of(status, "writing rows");
    // RocksDB continues by itself once there is space again; it does not recover from any other
    // failure.
    if (error.code != Code::no_space && !is_broken_) {
      broken_ = error;
      is_broken_.store(true, std::memory_order_release);
    }
    return tl::unexpected(std::move(error));
  }
  KILL_POINT("commit.after_wal");
  recent_.add(batch);
  applied_.store(batch.version, std::memory_order_release);
  return {};
}

Result<void> RocksEngine::admit(const CommitBatch& batch) {
  std::size_t bytes = 0;
  for (const Put& put : batch.puts) bytes += put.key.size() + put.value.size();
  for (const Bytes& key : batch.removals) bytes += key.size();
  const bool takes_less = batch.puts.empty() || batch.space == CommitBatch::Space::less;
  return takes_less ? free_space_.admit_removal(bytes) : free_space_.admit_write(bytes);
}

Result<void> RocksEngine::commit(const CommitBatch& batch) {
  count_nothing();
  TRY(fits(batch, limits_));
  TRY(admit(batch));
  check_keys(batch);
  const std::lock_guard lock(commit_mutex_);
  CHECK(batch.version > applied());
  if (broken_) return tl::unexpected(*broken_);
  TRY(check_guards(batch));
  rocksdb::WriteBatch rows = encode(batch, {batch.version, applied(), durable()});
  TRY(write(batch, rows));
  ++commits_;
  return {};
}

Result<void> RocksEngine::accepts_writes() {
  if (is_broken_.load(std::memory_order_acquire)) return tl::unexpected(*broken_);
  return free_space_.admit_write(0);
}

// --- durability ---

void RocksEngine::flush_log() {
  KILL_POINT("sync.before");
  const rocksdb::Status status = db_->FlushWAL(true);
  if (!status.ok()) stop_unsynced(status);
  ++syncs_;
  KILL_POINT("sync.after");
}

void RocksEngine::sync(Version version) {
  CHECK(version <= applied());
  group_sync_.reach(version);
}

// --- housekeeping ---

Result<void> RocksEngine::drop_range(BytesView lo, BytesView hi) {
  const rocksdb::Slice first = slice(lo.empty() ? first_key : lo);
  const rocksdb::WriteOptions options;
  const RowHints::Off off(*hints_);
  if (!hi.empty()) {
    TRY(checked(db_->DeleteRange(options, rows_, first, slice(hi)), "erasing a range"));
    // Deletes files with rows of this range only immediately. The tombstone written before covers
    // older rows that they may have hidden.
    KILL_POINT("erase.tombstone");
    const rocksdb::Slice end = slice(hi);
    return checked(rocksdb::DeleteFilesInRange(db_.get(), rows_, &first, &end, false),
                   "erasing a range");
  }
  // RocksDB has no open end: the range ends with the last existing key.
  const std::unique_ptr<rocksdb::Iterator> row(db_->NewIterator(rocksdb::ReadOptions(), rows_));
  row->SeekToLast();
  TRY(checked(row->status(), "erasing a range"));
  if (!row->Valid() || row->key().compare(first) < 0) return {};
  const Bytes last = row->key().ToString();
  TRY(checked(db_->DeleteRange(options, rows_, first, slice(last)), "erasing a range"));
  return checked(db_->Delete(options, rows_, slice(last)), "erasing a range");
}

Result<void> RocksEngine::erase_range(BytesView lo, BytesView hi) {
  if (!hi.empty() && hi <= lo) return {};
  {
    const std::lock_guard lock(commit_mutex_);
    if (broken_) return tl::unexpected(*broken_);
    TRY(drop_range(lo, hi));
    KILL_POINT("erase.files_gone");
    recent_.invalidate(applied());
  }
  // It has no version to wait for, so it is made durable immediately.
  flush_log();
  return {};
}

void RocksEngine::set_forget(std::shared_ptr<ForgetFilterMaker> maker) {
  filters_->set(std::move(maker));
}

Result<void> RocksEngine::compact(BytesView lo, BytesView hi) {
  filters_->stop_waiting();
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction =
      false;  // other compactions, which writers may wait for, run in parallel
  // Includes the lowest level, which has most of the forgettable rows.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  const rocksdb::Slice first = slice(lo);
  const rocksdb::Slice end = slice(hi);
  return checked(
      db_->CompactRange(options, rows_, lo.empty() ? nullptr : &first, hi.empty() ? nullptr : &end),
      "compacting");
}

void RocksEngine::interrupt_compaction() {
  db_->DisableManualCompaction();  // waits until running ones have stopped
  db_->EnableManualCompaction();
}

Stats RocksEngine::stats() const {
  const auto number = [this](const std::string& property) {
    std::uint64_t value = 0;
    db_->GetIntProperty(rows_, property, &value);
    return value;
  };
  using Properties = rocksdb::DB::Properties;
  return {.rows = number(Properties::kEstimateNumKeys),
          .bytes_on_disk = number(Properties::kTotalSstFilesSize),
          .bytes_in_memory = number(Properties::kCurSizeAllMemTables) +
                             number(Properties::kBlockCacheUsage) +
                             number(Properties::kEstimateTableReadersMem),
          .commits = commits_,
          .syncs = syncs_,
          .rows_forgotten = filters_->rows_forgotten};
}

}  // namespace mayfly::store
