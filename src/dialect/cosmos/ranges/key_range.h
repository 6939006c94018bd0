// Key ranges: the parts that a container's keys are divided into. Clients query each part, merge
// the rows, and follow a part that has split (docs/decisions/0035).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/cosmos/containers/keys/epk.h"

namespace mayfly::cosmos {

struct KeyRange {
  std::size_t number = 0;  // among all ranges that the container has had
  std::string id;          // the number as text; empty: none yet
  EpkRange epks;
  std::vector<std::string> parents;  // ids of the ranges that it was split from, the oldest first
};

// The numbers of ranges that a container has had, in order; each is greater than the one before.
using RangeCounts = std::vector<std::size_t>;

// The number of ranges of a container with that many request units per second, up to
// limits::key_ranges_max.
std::size_t ranges_for(std::int64_t units);

// Immutable. The counts and the hash determine the ranges, so only the counts are stored.
class KeyRanges {
 public:
  // There is a count at least.
  KeyRanges(RangeCounts counts, KeyHash hash);
  // The one range of a container that has never had more.
  KeyRanges();

  // The current ranges, ascending and without gaps.
  const std::vector<KeyRange>& all() const { return current_; }
  std::size_t size() const { return current_.size(); }
  bool is_one() const { return current_.size() == 1; }
  const RangeCounts& counts() const { return counts_; }
  // Whether the container had only one range when it was created.
  bool was_one() const { return counts_.front() == 1; }

  // Null pointer if no current range has that id.
  const KeyRange* find(std::string_view id) const;
  const KeyRange& of_epk(std::string_view epk) const;
  // Null pointer if it overlaps several ranges.
  const KeyRange* around(const EpkRange& epks) const;
  // The EPKs of the ranges that this range was split from, the youngest first.
  std::vector<EpkRange> ancestors_of(const KeyRange& range) const;

 private:
  RangeCounts counts_;
  std::vector<KeyRange> current_;
  std::vector<KeyRange> former_;
};

// The facet in which a collection stores the counts; without it, the container has one range.
inline constexpr std::string_view ranges_facet = "cosmos.ranges";
std::string render_counts(const RangeCounts& counts);
Result<RangeCounts> parse_counts(std::string_view text);

}  // namespace mayfly::cosmos
