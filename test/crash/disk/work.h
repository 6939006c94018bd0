// Work: the commits of a process on a database while its disk fails, and the checks afterwards.
// Everything is numbered, so that each state shows which commits it contains.
//
// Commit i writes one state of everything: `left`, `right` and `both` of pair i % pairs, the line
// `log i`, and removes the line of log_lines commits ago. After a loss the last commits are either
// all there, or those after some point are missing; and each commit is there as a whole or not at
// all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "db/database.h"
#include "store/rocks/rocks_store.h"
#include "test_disk.h"

namespace mayfly::crash {

inline constexpr std::uint64_t pairs = 7;
inline constexpr std::uint64_t log_lines = 60;

// A database on a directory with its clock, opened small, so that buffers are flushed and files
// compacted within a hundred commits.
class Opened {
 public:
  static Result<std::unique_ptr<Opened>> open(const std::string& directory,
                                              std::shared_ptr<rocksdb::FileSystem> files);

  Database& database() { return *database_; }
  // The collection; created if it is missing.
  Result<CollectionPtr> collection();
  Result<void> commit(std::uint64_t i);
  // Checks that the database holds commits 1 to `last` and no other. Returns what is wrong; an
  // empty text if all is right. Fails if a read fails.
  Result<std::string> check(std::uint64_t last);
  // The newest commit in the database.
  Result<std::uint64_t> last();

 private:
  explicit Opened(Instant start) : clock_(start) {}

  ManualClock clock_;
  std::unique_ptr<Database> database_;
};

// Runs `work` in a child process and waits for its end. Returns the exit status, which is the
// result of `work` unless a loss of power ends the child; or minus the signal that ended it.
int in_child(const std::function<int()>& work);

// Writes the reason into `report`; gives 1, the exit status of a child that has found an error.
int wrong(ChildReport& report, const std::string& why);

// Memory that children share with their parent.
std::shared_ptr<ChildReport> shared_report();

// A fresh directory, in memory (/dev/shm) if possible; removed by the destructor.
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& name);
  ~ScratchDirectory();
  std::string data() const { return path_ + "/data"; }
  std::string lost_and_found() const { return path_ + "/lost+found"; }
  void clear();

 private:
  std::string path_;
};

}  // namespace mayfly::crash
