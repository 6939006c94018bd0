// Repair: finds the damage in a data directory that open() refuses, and makes the directory usable
// without the damaged parts. A repair is the sequence examine(), repair(), end_repair(); if the
// damage is_incomplete, the sequence runs again. No process may have the directory open. Threads:
// one.
//
// If the end of the log is unreadable, the directory goes back to the last complete commit. A table
// that cannot be read leaves a gap: rows that only it had are lost, and rows that it had replaced
// show their older value from another table.
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
  Bytes first, last;  // the first and the last key of its rows
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;  // 0: unknown
};

struct Damage {
  // Files that can be recreated without loss, with the reason.
  std::vector<std::string> replaceable;
  // The copy that an interrupted repair made of the original directory, for undo_repair(); then
  // nothing else is examined.
  std::string interrupted;
  // The file that lists the tables is lost, so more damage can be found only after that is
  // repaired.
  bool is_incomplete = false;
  std::vector<DamagedTable> tables;
  struct Log {
    std::string file;
    Version leads_to = 0;     // the last complete commit
    Version promised = 0;     // the last acknowledged commit
    bool is_missing = false;  // there is no log file at all
  };
  std::optional<Log> log;
  // The rows with the requested prefixes that could still be read.
  std::vector<std::pair<Bytes, Bytes>> asked;

  bool is_none() const {
    return interrupted.empty() && replaceable.empty() && tables.empty() && !log;
  }
};

// Reads everything, and changes nothing. `prefixes` select keys whose readable rows are returned.
// Damage is a result and no failure. Fails with invalid if the directory cannot be used, with
// internal if another process uses it, and with corrupt if it cannot be repaired: then only a
// backup helps.
Result<Damage> examine(const std::string& directory, const std::vector<Bytes>& prefixes);

// The file in the copy with the report of the repair.
inline constexpr const char* report_name = "REPAIR";

struct RepairResult {
  std::string kept_in;          // the path of a copy of the original directory, within it
  std::uint64_t saved = 0;      // rows of damaged tables that could be read
  std::uint64_t uncertain = 0;  // rows that may have had a later version in a lost table
  Version newest = 0;           // commits continue from here: later than everything that is lost
};
// Repairs the files of the directory, as examine() has found them. Tables are linked, not copied,
// so it needs little more space than the log. Until end_repair() only open_under_repair() (open.h)
// opens the directory, because its rows may still contradict one another. The copy stays there:
// after end_repair() only the operator needs it. Fails as examine(), and with internal or no_space
// if a file cannot be written.
Result<RepairResult> repair(const std::string& directory, const Damage& damage);
Result<void> end_repair(const std::string& directory);
// Restores the state before an interrupted repair, and removes the copy that the repair made. Does
// nothing if there was none. After an interruption it can be run again. Fails as examine().
Result<void> undo_repair(const std::string& directory);

}  // namespace mayfly::store
