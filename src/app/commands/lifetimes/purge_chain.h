// PurgeChain: checks the hash chain of purge records line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "db/purge/purge_log.h"

namespace mayfly::app {

class PurgeChain {
 public:
  // Fails with corrupt if the line is no record, does not match its hash, or does not follow the
  // line before. The predecessor of the first line is not checked.
  Result<void> add(std::string line);

  std::uint64_t records() const { return records_; }
  std::uint64_t versions() const { return versions_; }
  std::uint64_t first() const { return first_; }  // record number; 0 if there is no record
  std::uint64_t last() const { return last_ ? last_->number : 0; }

 private:
  std::uint64_t records_ = 0;
  std::uint64_t versions_ = 0;
  std::uint64_t first_ = 0;
  std::optional<PurgeRecord> last_;
};

}  // namespace mayfly::app
