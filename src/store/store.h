// Store: ordered bytes with versions; the one boundary between the document layer and an engine.
//
// Every call is a batch, and one call is at most one round trip to the engine: no iterator crosses
// this line. The caller never locks: what it has read goes back as guards inside its commit, and
// the engine checks them there. What lies in the bytes is none of the store's business, except that
// it may be told what may be forgotten.
//
// Two engines stand behind it today: memory/ (obviously right, for tests and `--data :memory:`) and
// rocks/ (RocksDB). The contract is contract_test.cc, which every engine passes.
//
// Threads: all members of Store may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/result.h"

namespace mayfly::store {

// The version of a row is the version of the commit that wrote it. Versions grow from commit to
// commit; 0 means that the row is absent. The document layer uses commit instants (microseconds) as
// versions.
using Version = std::uint64_t;

// What the engine can take; the document layer splits or refuses what is larger.
struct Limits {
  // The longest document key and, before it, an index entry of limits::cut_entry_bytes_max.
  // PostgreSQL's b-tree stops at 2,704.
  std::size_t key_bytes_max = 2'600;
  std::size_t value_bytes_max = 4 << 20;
  std::size_t commit_bytes_max = 128 << 20;
  std::size_t commit_rows_max = 1'000'000;
  bool range_guards_cheap = true;  // false where a range guard is a scan
  bool compacts_in_place = false;  // compact() costs as much as the range has rows
  std::uint32_t round_trip_micros =
      0;  // 0: inside this process, so a call never waits for a network
};

// --- reading ---

// One row as read. The bytes belong to the Rows it came from.
struct Row {
  BytesView key;
  BytesView value;
  Version version = 0;  // 0: there is no such row

  bool present() const { return version != 0; }
};

// Rows with their bytes in one piece of memory. Moving one keeps the rows' addresses valid.
class Rows {
 public:
  void append(BytesView key, BytesView value, Version version);
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  std::size_t bytes() const { return arena_.size(); }
  // `i` is below size().
  Row operator[](std::size_t i) const {
    const Entry& e = entries_[i];
    const BytesView all(arena_.data(), arena_.size());
    return {all.substr(e.offset, e.key_size), all.substr(e.offset + e.key_size, e.value_size),
            e.version};
  }

 private:
  struct Entry {
    std::size_t offset;
    std::uint32_t key_size;
    std::uint32_t value_size;
    Version version;
  };
  std::vector<char> arena_;  // not a string: moving a short one would move its bytes
  std::vector<Entry> entries_;
};

// The rows with lo <= key < hi, in key order (from the end where `reverse`). An empty `hi` is the
// end of all keys.
struct Range {
  Bytes lo;
  Bytes hi;
  std::size_t rows_max = limits::store_page_rows_max;
  std::size_t bytes_max = limits::store_page_bytes_max;  // a page ends after the row that passes it
  bool reverse = false;
  bool keys_only = false;
  bool is_read_once = false;  // it is not worth the room that it would take in a cache
};

// A part of a range. `next` is set where a bound stopped it before the range ended: going on means
// the same range with `lo = *next`, or, where it was read in reverse, with `hi = *next`.
struct Page {
  Rows rows;
  std::optional<Bytes> next;
};

struct ReadBatch {
  std::vector<Bytes> gets;
  std::vector<Range> scans;
};

// `gets` has one row for each key asked, in that order, absent ones with version 0.
struct ReadReply {
  Rows gets;
  std::vector<Page> scans;
};

// One state of the store, held open: reads through it all see the commits up to version() and no
// other.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual Version version() const = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// --- writing ---

struct Put {
  Bytes key;
  Bytes value;
};
// Holds if the row still has the version seen; 0 holds if it is still absent.
struct PointGuard {
  Bytes key;
  Version seen = 0;
};
// Holds if the range still has just the rows that were seen: as many, and their versions add up to
// the same (versions are unique to a commit, so a change shows). `hi` empty: to the end of all
// keys. The sum wraps.
struct RangeGuard {
  Bytes lo;
  Bytes hi;
  std::uint64_t rows = 0;
  std::uint64_t version_sum = 0;
};

struct CommitBatch {
  // The version of this commit and of every row it writes. Must be greater than every version the
  // store has applied.
  Version version = 0;
  // The version of the state the guards were read from, or of an earlier one, never of a later: a
  // guard holds for sure if nothing it covers was written after. Where the reads had no snapshot it
  // is what applied() said before the first of them.
  Version since = 0;
  std::vector<PointGuard> points;
  std::vector<RangeGuard> ranges;
  std::vector<Put> puts;
  std::vector<Bytes> removals;
  // What it leaves of the disk: `less` where it takes away more than it puts, as a removal does
  // with the event that tells of it. When space runs out it is let through longer.
  enum class Space { more, less } space = Space::more;
};

// --- what may be forgotten ---

// Says of a row whether nobody can ever see it again. Compaction drops such rows; nothing else
// happens to them.
class ForgetFilter {
 public:
  virtual ~ForgetFilter() = default;
  virtual bool forgettable(BytesView key, BytesView value, Version version) const = 0;
};
// Makes the filter for one compaction, which uses it from one thread. May give null: nothing is
// forgotten.
class ForgetFilterMaker {
 public:
  virtual ~ForgetFilterMaker() = default;
  virtual std::unique_ptr<ForgetFilter> make() = 0;
};

// What the engine knows of itself, for metrics. Estimates.
struct Stats {
  std::uint64_t rows = 0;
  std::uint64_t bytes_on_disk = 0;
  std::uint64_t bytes_in_memory = 0;
  std::uint64_t commits = 0;
  std::uint64_t syncs = 0;
  std::uint64_t rows_forgotten = 0;
};

// A copy of the store's state, as backup() made it.
struct Backup {
  Version version = 0;  // of the newest commit in it
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// --- the engine ---

class Store {
 public:
  virtual ~Store() = default;

  virtual const Limits& limits() const = 0;

  // Reads from the snapshot, or from the newest state where it is null; each call sees one state
  // throughout. Fails with corrupt where stored bytes are damaged, never with a part of the answer.
  virtual Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) = 0;
  // One get: the value and version of one row, without a copy of the key. Absent: version 0.
  virtual Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) = 0;

  virtual SnapshotPtr snapshot() = 0;

  // All of the batch or none of it. When this returns, every later read sees it; it is durable once
  // durable() >= batch.version, which sync() brings about. Fails with contended if a guard does not
  // hold, too_large over a limit, no_space where the disk is too full for a batch that takes more
  // of it; any other failure of the engine stops all writing.
  virtual Result<void> commit(const CommitBatch& batch) = 0;

  // The version of the newest commit that reads can see, and of the newest that survives a loss of
  // power.
  virtual Version applied() const = 0;
  virtual Version durable() const = 0;
  // Returns once durable() >= version. One flush to disk serves everyone who waits. A flush that
  // fails stops the program: what was not acknowledged is not known to be lost or kept.
  virtual void sync(Version version) = 0;

  // About how many rows lo <= key < hi there are (`hi` empty: to the end of all keys): what has
  // been removed may still count. Costs the same however many there are.
  virtual Result<std::uint64_t> estimate(BytesView lo, BytesView hi) = 0;

  // Removes a range that nobody reads any more (a dropped collection). Not atomic; not guarded.
  virtual Result<void> erase_range(BytesView lo, BytesView hi) = 0;

  // From now on compaction asks filters of this maker. Null: nothing is forgotten.
  virtual void set_forget(std::shared_ptr<ForgetFilterMaker> maker) = 0;
  // Rewrites the range now and so drops what may be forgotten in it. Both empty: everything.
  virtual Result<void> compact(BytesView lo, BytesView hi) = 0;
  // Makes every compact() that is under way return early, with a failure.
  virtual void interrupt_compaction() = 0;

  // Makes `directory`, which must not be there yet while its parent must, and copies the newest
  // state into it: opened, it is a store with just the commits up to the version given. Commits go
  // on meanwhile. When this returns the copy is on disk; where it fails, what there is of the copy
  // is worth nothing. Fails with exists, invalid where the directory cannot be made, no_space, and
  // unsupported where the engine keeps nothing on disk.
  virtual Result<Backup> backup(const std::string& directory) = 0;

  virtual Stats stats() const = 0;
};

}  // namespace mayfly::store
