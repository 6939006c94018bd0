// The engine under simulation: the memory engine over a disk whose state a crash restores. Commits
// are applied immediately and durable when synced; a crash loses a suffix of those that are not.
// Commits and reads fail on request, and compaction spares some rows at random.
//
// Threads: one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "simulate/plant.h"
#include "store/wrappers/forward.h"

namespace mayfly::simulate {

// What a commit or an erasure would write to the disk's log.
struct LogEntry {
  store::Version version = 0;
  bool is_foreground = false;
  std::vector<store::Put> puts;
  std::vector<Bytes> removals;
  std::optional<std::pair<Bytes, Bytes>> erased;
};

// The contents of the disk, and the log entries after them that have not been synced.
class Disk {
 public:
  // A memory engine with only the durable rows.
  std::unique_ptr<store::Store> load() const;
  void append(LogEntry entry) { log_.push_back(std::move(entry)); }
  void erase(BytesView lo, BytesView hi);
  void flush(store::Version through);
  std::size_t unsynced_foreground() const;
  // Loses the last `lost` entries of the foreground with everything after the first of them, and up
  // to `more` entries of housekeeping before it. The rest becomes durable. Returns the version of
  // the newest remaining commit.
  store::Version crash(std::size_t lost, std::size_t more);
  // Compaction sees only durable rows, and what it drops is removed from the disk, too.
  bool holds(BytesView key, store::Version version) const;
  void forget(BytesView key);
  store::Version version() const { return version_; }

 private:
  struct EngineRow {
    store::Version version = 0;
    Bytes value;
  };
  void apply(const LogEntry& entry);

  std::map<Bytes, EngineRow, std::less<>> rows_;
  store::Version version_ = 0;
  std::vector<LogEntry> log_;
};

// A commit or a read that is to fail.
struct Fault {
  enum class Kind {
    contended,  // some guard does not hold
    no_space,
    unknown,    // it is unknown whether it happened; the engine stops writing
    unreadable  // a read fails
  };
  Kind kind = Kind::contended;
  int after = 0;  // how many commits, or reads, of that side succeed first
};

class Engine final : public store::Forward {
 public:
  Engine(Disk& disk, Plant plant);
  ~Engine() override;

  // Which side works from now on: faults and the log distinguish the two.
  void set_foreground(bool is_foreground) { is_foreground_ = is_foreground; }
  void fail_next(const Fault& fault) {
    const bool is_read = fault.kind == Fault::Kind::unreadable;
    auto& faults = is_foreground_ ? foreground_ : other_;
    (is_read ? faults.read : faults.commit) = fault;
  }
  void clear_faults();
  // Whether a read of the foreground has failed since the last call. Cancels a fault of its reads
  // that is still to come.
  bool take_read_fault();
  std::size_t failures() const { return failures_; }
  // The failures that a transaction does not overcome by running again.
  std::size_t lasting_failures() const { return failures_ - contentions_; }
  // The commit whose outcome is unknown; keep_unknown() makes it part of the log.
  std::optional<store::Version> unknown() const;
  void keep_unknown();
  // The versions of the foreground's commits since the last call.
  std::vector<store::Version> take_commits() { return std::exchange(commits_, {}); }

  // The next compactions spare that percentage of the rows that may be dropped.
  void spare(int percent, std::uint64_t seed);
  // A compaction that begins now and drops nothing before it is finished: by then its filter has an
  // old policy and an old horizon, and it sees only rows that existed when it began.
  void begin_slow_compaction();
  Result<void> finish_slow_compaction();

  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override;
  Result<store::Version> get(BytesView key, Bytes& value, const store::Snapshot* snapshot) override;
  Result<void> commit(const store::CommitBatch& batch) override;
  store::Version durable() const override;
  void sync(store::Version version) override;
  Result<void> erase_range(BytesView lo, BytesView hi) override;
  void set_forget(std::shared_ptr<store::ForgetFilterMaker> maker) override;

 private:
  struct Forgetting;
  // Reading the trash may first have deaths recorded: that is not a commit of the foreground.
  bool is_by_foreground(const store::CommitBatch& batch) const;
  Result<void> pass(const store::CommitBatch& batch);
  Result<void> pass_read();
  void note_published(const store::CommitBatch& batch);
  Result<void> erase_dropped(const store::CommitBatch& batch);
  store::CommitBatch spoiled(const store::CommitBatch& batch) const;

  Disk& disk_;
  Plant plant_;
  std::shared_ptr<Forgetting> forgetting_;
  bool is_foreground_ = false;
  bool is_stopped_ = false;
  struct Faults {
    std::optional<Fault> commit, read;
  };
  Faults foreground_, other_;
  std::optional<store::CommitBatch> unknown_;
  std::vector<store::Version> commits_;
  store::SnapshotPtr before_last_;  // of the state before the foreground's last commit
  std::size_t failures_ = 0;
  std::size_t contentions_ = 0;
  bool has_read_failed_ = false;
  store::Version claimed_ = 0;  // up to where sync has claimed durability
};

}  // namespace mayfly::simulate
