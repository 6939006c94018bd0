// RocksEngine: reads and snapshots.
#include <rocksdb/db.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/snapshot.h>

#include <utility>

#include "store/rocks/engine/engine.h"
#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"

namespace mayfly::store {
namespace {

// The iterator of a page with at least this many rows reads ahead; for a shorter page most of that
// would be wasted.
constexpr std::size_t read_ahead_rows_min = 200;
constexpr std::size_t read_ahead_bytes = 256 << 10;

BytesView view(const rocksdb::Slice& as_slice) {
  return {as_slice.data(), as_slice.size()};
}
rocksdb::Slice as_slice(BytesView bytes) {
  return {bytes.data(), bytes.size()};
}

class RocksSnapshot final : public Snapshot {
 public:
  RocksSnapshot(std::shared_ptr<rocksdb::DB> db, const rocksdb::Snapshot* held, Version version)
      : db_(std::move(db)), held_(held), version_(version) {}
  ~RocksSnapshot() override { db_->ReleaseSnapshot(held_); }

  Version version() const override { return version_; }
  const rocksdb::Snapshot* held() const { return held_; }

 private:
  const std::shared_ptr<rocksdb::DB> db_;
  const rocksdb::Snapshot* const held_;
  const Version version_;
};

const rocksdb::Snapshot* held_by(const Snapshot* snapshot) {
  return snapshot ? static_cast<const RocksSnapshot*>(snapshot)->held() : nullptr;
}

}  // namespace

void count_nothing() {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
}

Result<Version> RocksEngine::get(BytesView key, Bytes& value, const Snapshot* snapshot) {
  count_nothing();
  rocksdb::ReadOptions options;
  options.snapshot = held_by(snapshot);
  rocksdb::PinnableSlice stored;
  const rocksdb::Status status = db_->Get(options, rows_, as_slice(key), &stored);
  if (status.IsNotFound()) {
    value.clear();
    return 0;
  }
  if (!status.ok()) return tl::unexpected(error_of(status, "reading a row"));
  const std::optional<StoredRow> row = decode_row(view(stored));
  if (!row) return tl::unexpected(malformed_row());
  value.assign(row->value);
  return row->version;
}

Result<Rows> RocksEngine::read_rows(const std::vector<Bytes>& keys,
                                    const rocksdb::Snapshot* at) const {
  rocksdb::ReadOptions options;
  options.snapshot = at;
  const std::size_t count = keys.size();
  const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> stored(count);
  std::vector<rocksdb::Status> statuses(count);
  if (count == 1) {
    statuses[0] = db_->Get(options, rows_, slices[0], stored.data());
  } else if (count > 1) {
    db_->MultiGet(options, rows_, count, slices.data(), stored.data(), statuses.data());
  }
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (statuses[i].IsNotFound()) {
      rows.append(keys[i], {}, 0);
      continue;
    }
    if (!statuses[i].ok()) return tl::unexpected(error_of(statuses[i], "reading rows"));
    const std::optional<StoredRow> row = decode_row(view(stored[i]));
    if (!row) return tl::unexpected(malformed_row());
    rows.append(keys[i], row->value, row->version);
  }
  return rows;
}

Result<Page> RocksEngine::scan(const Range& range, const rocksdb::Snapshot* at) const {
  Page page;
  if (!range.hi.empty() && range.hi <= range.lo) return page;
  const rocksdb::Slice lower = range.lo.empty() ? as_slice(first_key) : as_slice(range.lo);
  const rocksdb::Slice upper = as_slice(range.hi);
  rocksdb::ReadOptions options;
  options.snapshot = at;
  options.iterate_lower_bound = &lower;
  if (!range.hi.empty()) options.iterate_upper_bound = &upper;
  options.fill_cache = !range.is_read_once;
  if (range.rows_max >= read_ahead_rows_min) options.readahead_size = read_ahead_bytes;

  const std::unique_ptr<rocksdb::Iterator> row(db_->NewIterator(options, rows_));
  range.reverse ? row->SeekToLast() : row->SeekToFirst();
  Rows& rows = page.rows;
  for (; row->Valid(); range.reverse ? row->Prev() : row->Next()) {
    if (!rows.empty() && (rows.size() >= range.rows_max || rows.bytes() >= range.bytes_max)) {
      page.next = range.reverse ? rows[rows.size() - 1].key : view(row->key());
      break;
    }
    const std::optional<StoredRow> stored = decode_row(view(row->value()));
    if (!stored) return tl::unexpected(malformed_row());
    rows.append(view(row->key()), range.keys_only ? BytesView() : stored->value, stored->version);
  }
  // An iterator just ends at damage: without this check an incomplete page would look complete.
  if (!row->status().ok()) return tl::unexpected(error_of(row->status(), "scanning rows"));
  return page;
}

Result<ReadReply> RocksEngine::read(const ReadBatch& batch, const Snapshot* snapshot) {
  count_nothing();
  const rocksdb::Snapshot* at = held_by(snapshot);
  // One MultiGet and one iterator each read one state; several of them need a snapshot to read the
  // same one.
  const std::size_t parts = batch.scans.size() + (batch.gets.empty() ? 0 : 1);
  std::optional<rocksdb::ManagedSnapshot> own;
  if (!at && parts > 1) at = own.emplace(db_.get()).snapshot();

  ReadReply reply;
  if (!batch.gets.empty()) reply.gets = TRY(read_rows(batch.gets, at));
  reply.scans.reserve(batch.scans.size());
  for (const Range& range : batch.scans) reply.scans.push_back(TRY(scan(range, at)));
  return reply;
}

std::optional<Version> RocksEngine::version_at(const rocksdb::Snapshot* at) const {
  rocksdb::ReadOptions options;
  options.snapshot = at;
  rocksdb::PinnableSlice stored;
  if (!db_->Get(options, rows_, as_slice(version_key), &stored).ok()) return std::nullopt;
  const std::optional<StoredRow> row = decode_row(view(stored));
  return row ? std::optional(row->version) : std::nullopt;
}

SnapshotPtr RocksEngine::snapshot() {
  const Version before = applied();
  const rocksdb::Snapshot* held = db_->GetSnapshot();
  // No commit has begun since `before`: the snapshot has this state.
  if (applying_.load() == before) return std::make_shared<RocksSnapshot>(db_, held, before);
  if (const std::optional<Version> version = version_at(held)) {
    return std::make_shared<RocksSnapshot>(db_, held, *version);
  }
  // The very first commit is in progress, or the version row is damaged.
  db_->ReleaseSnapshot(held);
  const std::lock_guard lock(commit_mutex_);
  return std::make_shared<RocksSnapshot>(db_, db_->GetSnapshot(), applied());
}

}  // namespace mayfly::store
