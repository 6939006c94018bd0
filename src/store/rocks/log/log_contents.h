// Reads the commits in the write-ahead log while RocksDB replays it, to find out whether one is
// missing; and ends a replay before the first missing commit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/rocks/engine/row_format.h"

namespace rocksdb {
class WalFilter;
}

namespace mayfly::store {

// The contents of the logs, commit by commit, in the order of the logs.
struct LogContents {
  struct Commit {
    VersionRow row;
    std::uint64_t log_number = 0;
  };
  std::vector<Commit> commits;

  // How far they lead from a store that has everything up to `base`: the last commit before the
  // first missing one. `log_number` is the log with the commit behind the gap; 0: there is no gap.
  struct End {
    Version version = 0;
    std::uint64_t log_number = 0;
  };
  End end_from(Version base) const;
  // The version before the first commit of the log; 0 without commits.
  Version beginning() const { return commits.empty() ? 0 : commits.front().row.previous; }
  Version newest() const;
  // The newest version that is durable according to the commits.
  Version durable() const;
};

// Records in `contents`, which must outlive it, what is replayed, and keeps all of it out of the
// store that replays it.
std::unique_ptr<rocksdb::WalFilter> make_log_watch(LogContents& contents);

// Replays the commits that follow `base` without a gap, and nothing from the first missing commit
// on.
std::unique_ptr<rocksdb::WalFilter> make_log_end(Version base);

}  // namespace mayfly::store
