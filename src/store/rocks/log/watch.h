// LogWatch: reads the log of writes while RocksDB replays it, and tells whether a commit is missing
// from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/rocks/engine/row_format.h"

namespace rocksdb {
class WalFilter;
}

namespace mayfly::store {

// What the logs hold, commit by commit, in the order of the logs.
struct LogContents {
  struct Commit {
    VersionRow row;
    std::uint64_t log_number = 0;
  };
  std::vector<Commit> commits;

  // How far they lead on from a store that holds everything up to `base`: the last commit before
  // the first that is missing. `log_number` is that of the log that is broken there; 0 where none
  // is missing in between.
  struct End {
    Version version = 0;
    std::uint64_t log_number = 0;
  };
  End end_from(Version base) const;
  // Before the first commit of the log.
  Version beginning() const { return commits.empty() ? 0 : commits.front().row.previous; }
  Version newest() const;
  // What had been on disk when the newest of them were made.
  Version durable() const;
};

// Notes in `contents` what is replayed, and keeps all of it from the store that replays it.
std::unique_ptr<rocksdb::WalFilter> make_log_watch(LogContents& contents);

// Lets replay what leads on from `base`, and nothing from the first missing commit on.
std::unique_ptr<rocksdb::WalFilter> make_log_end(Version base);

}  // namespace mayfly::store
