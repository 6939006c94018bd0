// Key ranges: the parts that a container's keys are divided into. Clients ask each part and put the
// rows together, and follow a part that has split (docs/decisions/0035).
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
  std::vector<std::string> parents;  // those that it was split off, the first first
};

// How many ranges a container has had, the first number first, each greater than the one before.
using RangeCounts = std::vector<std::size_t>;

// How many a container of so many request units has.
std::size_t ranges_for(std::int64_t units);

class KeyRanges {
 public:
  KeyRanges(RangeCounts counts, KeyHash hash);
  // The one range of a container that has never had more.
  KeyRanges();

  // Those of now, ascending and without gaps.
  const std::vector<KeyRange>& all() const { return current_; }
  std::size_t size() const { return current_.size(); }
  bool is_one() const { return current_.size() == 1; }
  const RangeCounts& counts() const { return counts_; }
  bool was_one() const { return counts_.front() == 1; }

  // Null pointer where none of now has that id.
  const KeyRange* find(std::string_view id) const;
  const KeyRange& of_epk(std::string_view epk) const;
  // Null pointer where several hold parts of it.
  const KeyRange* around(const EpkRange& epks) const;
  // What those held that this range was split off, the latest first.
  std::vector<EpkRange> ancestors_of(const KeyRange& range) const;

 private:
  RangeCounts counts_;
  std::vector<KeyRange> current_;
  std::vector<KeyRange> former_;
};

// The facet under which a collection keeps the numbers; one range where it has none.
inline constexpr std::string_view ranges_facet = "cosmos.ranges";
std::string render_counts(const RangeCounts& counts);
Result<RangeCounts> parse_counts(std::string_view text);

}  // namespace mayfly::cosmos
