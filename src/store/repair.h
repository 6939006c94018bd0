// Repair: what is damaged in a data directory that open() refuses, and opening it without that.
//
// What the log cannot tell any more is the end of it: the directory goes back to the last commit
// that is whole. A table that cannot be read leaves a hole: what was only in it is gone, and where
// it was newer than another table, that one's row shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "store/store.h"

namespace mayfly::store {

struct DamagedTable {
  std::string file;  // its name in the directory
  std::string why;
  Bytes first, last;  // the keys between which its rows lie
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;  // 0: unknown
};

struct Damage {
  // Files that can be written again as they were, with the reason; nothing is lost with them.
  std::vector<std::string> replaceable;
  // A repair was interrupted, and this is the copy in which it kept the directory as it was;
  // nothing else is looked at.
  std::string interrupted;
  // The file that says which tables there are is lost, so that more is known only when it is found.
  bool hides_more = false;
  std::vector<DamagedTable> tables;
  struct Log {
    std::string file;
    Version leads_to = 0;  // the last commit that is whole
    Version promised = 0;  // the last one that had been acknowledged
    bool is_missing = false;
  };
  std::optional<Log> log;
  // Rows that could still be read, of those the caller had asked for.
  std::vector<std::pair<Bytes, Bytes>> asked;

  bool is_none() const {
    return interrupted.empty() && replaceable.empty() && tables.empty() && !log;
  }
};

// Reads everything, and changes nothing. `ask` are prefixes of keys. Fails with invalid where the
// directory cannot be used, internal where somebody works on it, corrupt where it is beyond repair:
// only a backup helps then.
Result<Damage> examine(const std::string& directory, const std::vector<Bytes>& ask);

// Of a file in the copy: what the repair reported.
inline constexpr const char* report_name = "REPAIR";

struct Repaired {
  std::string kept_in;          // a copy of the directory as it was; nothing needs it any more
  std::uint64_t saved = 0;      // rows of damaged tables that could be read
  std::uint64_t uncertain = 0;  // rows that may have had a successor in a lost one
  Version newest = 0;           // from which commits go on: later than all that is lost
};
// Mends the files of the directory, as examine() has found them. Tables are linked, not copied, so
// it takes room for little more than the log. Until end_repair() only open_under_repair() (open.h)
// takes the directory: its rows may still contradict one another. Fails as examine().
Result<Repaired> repair(const std::string& directory, const Damage& damage);
Result<void> end_repair(const std::string& directory);
// Puts everything back as it was before a repair that was interrupted, and removes the copy it had
// made. Does nothing where none was. Broken off, it can be run again. Fails as examine().
Result<void> undo_repair(const std::string& directory);

}  // namespace mayfly::store
