// PurgeChain: follows records of purges line by line and says where one does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "db/purge/purge_log.h"

namespace mayfly::app {

class PurgeChain {
 public:
  // Fails with corrupt where the line is no record, is not what its hash was made of, or does not
  // follow the line before. What the first line follows is taken as it is.
  Result<void> add(std::string line);

  std::uint64_t records() const { return records_; }
  std::uint64_t versions() const { return versions_; }
  std::uint64_t first() const { return first_; }  // numbers; 0 where there is no record
  std::uint64_t last() const { return last_ ? last_->number : 0; }

 private:
  std::uint64_t records_ = 0;
  std::uint64_t versions_ = 0;
  std::uint64_t first_ = 0;
  std::optional<PurgeRecord> last_;
};

}  // namespace mayfly::app
