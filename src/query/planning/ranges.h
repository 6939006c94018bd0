// Lists of byte ranges as an index scan takes them: ascending and disjoint.
#pragma once

#include <vector>

#include "query/plan.h"

namespace mayfly::query {

// The union of the ranges, which may come in any order and overlap.
std::vector<ByteRange> union_of(std::vector<ByteRange> ranges);
// The intersection of two lists. Both are ascending and disjoint.
std::vector<ByteRange> intersection_of(const std::vector<ByteRange>& a,
                                       const std::vector<ByteRange>& b);

}  // namespace mayfly::query
