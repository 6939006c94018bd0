// Lists of byte ranges as an index scan takes them: ascending and apart.
#pragma once

#include <vector>

#include "query/query.h"

namespace mayfly::query {

// The bytes that lie in any of them; in whatever order they come, and even if they overlap.
std::vector<ByteRange> in_any(std::vector<ByteRange> ranges);
// The bytes that lie in a range of each list. Both are ascending and apart.
std::vector<ByteRange> in_both(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b);

}  // namespace mayfly::query
