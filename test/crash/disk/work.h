// Work: what a process does to a database while its disk fails, and what must be true of it
// afterwards. Everything is numbered, so that each state says which commits it holds.
//
// Commit i writes one state of everything: `left`, `right` and `both` of pair i % pairs, the line
// `log i`, and takes away the line of log_lines commits ago. So all of the last commits are there
// or those behind some point are not; and a commit is there as a whole or not at all.
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
  // The collection; made if it is missing.
  Result<CollectionPtr> collection();
  Result<void> commit(std::uint64_t i);
  // Nothing where all is well with commits 1 to `last`; else what is wrong. An error where a read
  // failed.
  Result<std::string> check(std::uint64_t last);
  // The newest commit that is there.
  Result<std::uint64_t> last();

 private:
  explicit Opened(Instant start) : clock_(start) {}

  ManualClock clock_;
  std::unique_ptr<Database> database_;
};

// In a process of its own, ends with what `work` gives; a loss of power and a stop end it
// otherwise. Gives the exit status, or minus the signal.
int in_child(const std::function<int()>& work);

// Writes why into `told`, and is 1: what a child ends with that has found something wrong.
int wrong(Told& told, const std::string& why);

// Memory that children share with their parent.
std::shared_ptr<Told> shared_told();

// A fresh directory on the fastest disk there is.
class Place {
 public:
  explicit Place(const std::string& name);
  ~Place();
  std::string data() const { return path_ + "/data"; }
  std::string lost_and_found() const { return path_ + "/lost+found"; }
  void clear();

 private:
  std::string path_;
};

}  // namespace mayfly::crash
