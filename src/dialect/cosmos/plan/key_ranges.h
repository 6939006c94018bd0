// Where the rows of a query can be, as far as its filter says which partition keys they have.
// Source: spec cosmos.md, section 15.
#pragma once

#include <vector>

#include "base/clock.h"
#include "dialect/cosmos/containers/keys/epk.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos {

// Ascending and apart. All of them for a filter that says nothing of keys; one that is empty where
// no document can pass the filter, or where the query reads none.
std::vector<EpkRange> key_ranges(const sql::Query& query, const sql::Asked& asked,
                                 const PartitionKey& key, Instant now);

// Whether they are those of one key, all of whose values are known.
bool is_one_key(const std::vector<EpkRange>& ranges);

// The same EPKs, without ranges that overlap. Of no range, an empty one.
std::vector<EpkRange> merged(std::vector<EpkRange> ranges);

}  // namespace mayfly::cosmos
