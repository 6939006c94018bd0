// Store: ordered bytes with versions; the only boundary between the document layer and an engine.
//
// Every call is a batch, and one call is at most one round trip to the engine: no iterator crosses
// this boundary. The caller never locks: its commit has guards for everything that it has read, and
// the engine checks them. The store does not interpret the bytes, except through the filter that
// selects forgettable rows. A key is never empty; the caller ensures this. CheckedStore (wrappers/)
// checks what the caller must ensure.
//
// There are two engines: memory/ (obviously right, for tests and `--data :memory:`) and rocks/
// (RocksDB). Every engine must pass the contract in contract_test.cc.
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

// The version of a row is the version of the commit that wrote it. Versions increase from commit to
// commit; 0 means that the row is absent. The document layer uses commit instants (microseconds) as
// versions.
using Version = std::uint64_t;

// The limits of the engine; the document layer splits or refuses anything larger.
struct Limits {
  // Fits the longest document key followed by an index entry of limits::cut_entry_bytes_max.
  // PostgreSQL's b-tree stops at 2,704.
  std::size_t key_bytes_max = 2'600;
  std::size_t value_bytes_max = 4 << 20;
  std::size_t commit_bytes_max = 128 << 20;
  std::size_t commit_rows_max = 1'000'000;
  bool compacts_in_place = false;  // the cost of compact() grows with the rows of the range
};

// --- reading ---

// One row of a read. Its bytes belong to the Rows that returned it.
struct Row {
  BytesView key;
  BytesView value;
  Version version = 0;  // 0: there is no such row

  bool present() const { return version != 0; }
};

// Rows with their bytes in one block of memory. Moving one keeps the rows' addresses valid.
class Rows {
 public:
  void append(BytesView key, BytesView value, Version version);
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  std::size_t bytes() const { return arena_.size(); }
  // `i` must be below size().
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

// The rows with lo <= key < hi, in key order (backwards from the end if `reverse`). An empty `hi`
// is the end of all keys.
struct Range {
  Bytes lo;
  Bytes hi;
  std::size_t rows_max = limits::store_page_rows_max;  // at least 1
  // Of keys and values; a page ends after the row that reaches it.
  std::size_t bytes_max = limits::store_page_bytes_max;
  bool reverse = false;
  bool keys_only = false;
  bool is_read_once = false;  // it is not worth caching
};

// A part of a range: at least one row, if the range has one. `next` is set if a bound stopped it
// before the range ended. To continue, read the same range with `lo = *next`, or, if it is
// reversed, with `hi = *next`.
struct Page {
  Rows rows;
  std::optional<Bytes> next;
};

struct ReadBatch {
  std::vector<Bytes> gets;
  std::vector<Range> scans;
};

// `gets` has one row for each requested key, in the same order; absent ones have version 0.
struct ReadReply {
  Rows gets;
  std::vector<Page> scans;
};

// One state of the store, held open: all reads through it see the commits up to version() and no
// others. For reads of the store that made it. It may outlive that store. Threads: any.
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
// Holds if the row still has the version `seen`; 0: if it is still absent.
struct PointGuard {
  Bytes key;
  Version seen = 0;
};
// Holds if the range still has exactly the rows that were read: the same number, and the same sum
// of versions (each commit has a unique version, so a change alters the sum). An empty `hi` is the
// end of all keys. The sum wraps.
struct RangeGuard {
  Bytes lo;
  Bytes hi;
  std::uint64_t rows = 0;
  std::uint64_t version_sum = 0;
};

// A key is in one put or in one removal, never in two.
struct CommitBatch {
  // The version of this commit and of every row that it writes. It must be greater than every
  // applied version.
  Version version = 0;
  // The version of the state from which the guards were read, or of an earlier one, never a later
  // one. A guard certainly holds if nothing that it covers was written after this version. For
  // reads without a snapshot, it is applied() before the first of them.
  Version since = 0;
  std::vector<PointGuard> points;
  std::vector<RangeGuard> ranges;
  std::vector<Put> puts;
  std::vector<Bytes> removals;
  // Its effect on free disk space: `less` if it removes more than it adds, such as a removal with
  // its event. When space runs out, such a commit is admitted for longer than others, and so is one
  // without puts.
  enum class Space { more, less } space = Space::more;
};

// --- forgettable rows ---

// Decides whether no reader can ever see a row again. Compaction drops such rows; nothing else
// happens to them.
class ForgetFilter {
 public:
  virtual ~ForgetFilter() = default;
  virtual bool forgettable(BytesView key, BytesView value, Version version) const = 0;
};
// Makes the filter for one compaction, which uses it from one thread. May return null: then nothing
// is forgotten.
class ForgetFilterMaker {
 public:
  virtual ~ForgetFilterMaker() = default;
  virtual std::unique_ptr<ForgetFilter> make() = 0;
};

// Statistics of the engine, for metrics. Estimates.
struct Stats {
  std::uint64_t rows = 0;
  std::uint64_t bytes_on_disk = 0;
  std::uint64_t bytes_in_memory = 0;
  std::uint64_t commits = 0;
  std::uint64_t syncs = 0;
  std::uint64_t rows_forgotten = 0;
};

// The result of backup(): a copy of the store's state.
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

  // Reads from the snapshot, or from the newest state if it is null; each call reads a single
  // state. Fails with corrupt if stored bytes are damaged, and never returns a partial result.
  virtual Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) = 0;
  // One get: the value and version of one row, without a copy of the key. Version 0: absent.
  virtual Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) = 0;

  virtual SnapshotPtr snapshot() = 0;

  // Applies all of the batch or none of it. When this returns, every later read sees it. It is
  // durable once durable() >= batch.version; sync() makes it durable. Fails with contended if a
  // guard does not hold, too_large over a limit, no_space if the disk is too full for a batch that
  // needs more space, and corrupt if a guarded row is damaged. If writing fails for another reason
  // than space, every later commit and erase_range() fails with that error.
  virtual Result<void> commit(const CommitBatch& batch) = 0;

  // The version of the newest commit that reads can see, and of the newest that survives a loss of
  // power.
  virtual Version applied() const = 0;
  virtual Version durable() const = 0;
  // Returns once durable() >= version, which must not be greater than applied(). One flush to disk
  // serves all waiting callers. A failed flush stops the program, because it is unknown whether
  // unacknowledged commits are lost or kept.
  virtual void sync(Version version) = 0;

  // An estimate of the number of rows with lo <= key < hi (`hi` empty: to the end of all keys).
  // Removed rows may still count. In an engine on disk its cost does not depend on the number of
  // rows; the engine in memory counts them.
  virtual Result<std::uint64_t> estimate(BytesView lo, BytesView hi) = 0;

  // Removes a range that no reader uses any more (a dropped collection). Not atomic and not
  // guarded; on disk when this returns. Commits may wait meanwhile.
  virtual Result<void> erase_range(BytesView lo, BytesView hi) = 0;

  // From now on compaction uses filters of this maker. Null: nothing is forgotten.
  virtual void set_forget(std::shared_ptr<ForgetFilterMaker> maker) = 0;
  // Rewrites the range now, and so drops its forgettable rows. Both empty: everything.
  virtual Result<void> compact(BytesView lo, BytesView hi) = 0;
  // Makes every compact() in progress return early, with a failure. The engine in memory ignores
  // it.
  virtual void interrupt_compaction() = 0;

  // Creates `directory`, which must not exist while its parent must, and copies the newest state
  // into it. The copy is a store with exactly the commits up to the returned version. Commits
  // continue meanwhile. When this returns the copy is on disk; if it fails, the partial copy is
  // useless. Fails with exists, with invalid if the directory cannot be created, with no_space, and
  // with unsupported if the engine stores nothing on disk.
  virtual Result<Backup> backup(const std::string& directory) = 0;

  virtual Stats stats() const = 0;
};

}  // namespace mayfly::store
