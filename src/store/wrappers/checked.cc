#include "store/wrappers/checked.h"

#include <limits>
#include <set>

#include "base/check.h"

namespace mayfly::store {
namespace {

void check_key(BytesView key, const Limits& limits) {
  CHECK(!key.empty());
  CHECK(key.size() <= limits.key_bytes_max);
}

bool covers(const Range& range, BytesView key) {
  return key >= range.lo && (range.hi.empty() || key < range.hi);
}

// Without a snapshot there is no bound: a read may see a commit that has not returned yet.
Version newest_of(const Snapshot* snapshot) {
  return snapshot ? snapshot->version() : std::numeric_limits<Version>::max();
}

void check_row(const Row& row, Version newest) {
  CHECK(row.version <= newest);
  CHECK(row.present() || row.value.empty());
}

void check_page(const Page& page, const Range& range, Version newest) {
  const Rows& rows = page.rows;
  CHECK(rows.size() <= range.rows_max);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(covers(range, rows[i].key));
    CHECK(rows[i].present());
    CHECK(!range.keys_only || rows[i].value.empty());
    check_row(rows[i], newest);
    if (i == 0) continue;
    CHECK(range.reverse ? rows[i - 1].key > rows[i].key : rows[i - 1].key < rows[i].key);
  }
  if (!page.next) return;
  // Continuing must make progress, and must neither repeat nor omit a row.
  CHECK(!rows.empty());
  const BytesView last = rows[rows.size() - 1].key;
  CHECK(range.reverse ? *page.next <= last && *page.next > range.lo : *page.next > last);
}

// Every key occurs once, in a put or a removal: the order of the writes in a batch has no meaning.
void check_writes(const CommitBatch& batch, const Limits& limits) {
  std::set<BytesView> keys;
  for (const Put& put : batch.puts) {
    check_key(put.key, limits);
    CHECK(keys.insert(put.key).second);
  }
  for (const Bytes& key : batch.removals) {
    check_key(key, limits);
    CHECK(keys.insert(key).second);
  }
}

void check_guards(const CommitBatch& batch, const Limits& limits) {
  for (const PointGuard& guard : batch.points) {
    check_key(guard.key, limits);
    CHECK(guard.seen < batch.version);
  }
  for (const RangeGuard& guard : batch.ranges) {
    CHECK(guard.hi.empty() || guard.lo < guard.hi);
    CHECK(guard.rows > 0 || guard.version_sum == 0);
  }
}

}  // namespace

Result<ReadReply> CheckedStore::read(const ReadBatch& batch, const Snapshot* snapshot) {
  for (const Bytes& key : batch.gets) check_key(key, limits());
  for (const Range& range : batch.scans) {
    CHECK(range.rows_max > 0);
    CHECK(range.hi.empty() || range.lo <= range.hi);
  }
  ReadReply reply = TRY(inner().read(batch, snapshot));
  const Version newest = newest_of(snapshot);
  CHECK(reply.gets.size() == batch.gets.size());
  CHECK(reply.scans.size() == batch.scans.size());
  for (std::size_t i = 0; i < batch.gets.size(); ++i) {
    CHECK(reply.gets[i].key == batch.gets[i]);
    check_row(reply.gets[i], newest);
  }
  for (std::size_t i = 0; i < batch.scans.size(); ++i) {
    check_page(reply.scans[i], batch.scans[i], newest);
  }
  return reply;
}

Result<Version> CheckedStore::get(BytesView key, Bytes& value, const Snapshot* snapshot) {
  check_key(key, limits());
  const Version version = TRY(inner().get(key, value, snapshot));
  check_row({key, value, version}, newest_of(snapshot));
  return version;
}

SnapshotPtr CheckedStore::snapshot() {
  const Version before = applied();
  SnapshotPtr result = inner().snapshot();
  CHECK(result != nullptr);
  CHECK(result->version() >= before);
  return result;
}

Result<void> CheckedStore::commit(const CommitBatch& batch) {
  CHECK(batch.version > applied());
  CHECK(batch.since < batch.version);
  check_writes(batch, limits());
  check_guards(batch, limits());
  TRY(inner().commit(batch));
  CHECK(applied() >= batch.version);
  CHECK(durable() <= applied());
  return {};
}

void CheckedStore::sync(Version version) {
  CHECK(version <= applied());
  inner().sync(version);
  CHECK(durable() >= version);
}

Result<void> CheckedStore::erase_range(BytesView lo, BytesView hi) {
  CHECK(hi.empty() || lo < hi);
  return inner().erase_range(lo, hi);
}

Result<void> CheckedStore::compact(BytesView lo, BytesView hi) {
  CHECK(hi.empty() || lo < hi);
  return inner().compact(lo, hi);
}

Result<Backup> CheckedStore::backup(const std::string& directory) {
  const Version before = applied();
  auto result = inner().backup(directory);
  if (result) CHECK(result->version >= before && result->version <= applied());
  return result;
}

}  // namespace mayfly::store
