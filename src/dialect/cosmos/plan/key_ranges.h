// The key ranges that the rows of a query can be in, as far as its filter restricts their partition
// keys. Source: spec cosmos.md, section 15.
#pragma once

#include <vector>

#include "base/clock.h"
#include "dialect/cosmos/containers/keys/epk.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos {

// The ranges are ascending and disjoint. A filter without keys gives the full range. The result is
// one empty range if no document can pass the filter or the query reads none.
std::vector<EpkRange> key_ranges(const sql::Query& query, const sql::QueryInput& input,
                                 const PartitionKey& key, Instant now);

// Whether the ranges are one key with all its values.
bool is_one_key(const std::vector<EpkRange>& ranges);

// The same EPKs in ranges that do not overlap. No ranges give one empty range.
std::vector<EpkRange> merged(std::vector<EpkRange> ranges);

}  // namespace mayfly::cosmos
