#include "query/planning/ranges.h"

#include <algorithm>

namespace mayfly::query {
namespace {

bool ends_before(const ByteRange& a, const ByteRange& b) {
  return !a.to.empty() && (b.to.empty() || a.to < b.to);
}

bool holds_any(const ByteRange& range) {
  return range.to.empty() || range.from < range.to;
}

}  // namespace

std::vector<ByteRange> union_of(std::vector<ByteRange> ranges) {
  std::erase_if(ranges, [](const ByteRange& range) { return !holds_any(range); });
  std::ranges::sort(ranges, {}, &ByteRange::from);
  std::vector<ByteRange> apart;
  for (ByteRange& range : ranges) {
    const bool touches =
        !apart.empty() && (apart.back().to.empty() || range.from <= apart.back().to);
    if (!touches) {
      apart.push_back(std::move(range));
    } else if (ends_before(apart.back(), range)) {
      apart.back().to = std::move(range.to);
    }
  }
  return apart;
}

std::vector<ByteRange> intersection_of(const std::vector<ByteRange>& a,
                                       const std::vector<ByteRange>& b) {
  std::vector<ByteRange> both;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const bool a_ends = ends_before(a[i], b[k]);
    ByteRange common{std::max(a[i].from, b[k].from), a_ends ? a[i].to : b[k].to};
    if (holds_any(common)) both.push_back(std::move(common));
    ++(a_ends ? i : k);
  }
  return both;
}

}  // namespace mayfly::query
