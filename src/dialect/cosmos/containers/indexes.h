// The core's indexes of a container: two for the orders of the API, one for each unique key, one
// for its key ranges if it has several (docs/decisions/0035), and those that its indexing policy
// names (docs/decisions/0016). Paths that the policy includes by a wildcard get an index when
// queries need it (docs/decisions/0038).
#pragma once

#include <optional>
#include <vector>

#include "db/database.h"
#include "dialect/common/collections/new_indexes.h"
#include "dialect/cosmos/containers/definition.h"

namespace mayfly::cosmos {

// The indexes of a definition. As many of the policy's as there is room for; other paths are
// scanned.
std::vector<IndexSpec> indexes_of(const Definition& definition);

// The index by one property of the body, if the policy includes it; otherwise nothing.
std::optional<IndexSpec> index_of_field(const Definition& definition, const Field& field);
// Whether an index of that name belongs to a policy.
bool is_name_of_policy_index(std::string_view name);

// Changes the collection's indexes to those of a definition. It first drops the other indexes of a
// policy, except those of one property that the new policy includes. Then it creates and fills the
// missing ones, which `created` keeps or drops. Returns the resulting indexes, as far as there is
// room; unique ones are always among them. Fails with exists before any change if another index has
// the name of one. Otherwise fails as the database, possibly half way: answers are right with any
// indexes of a policy.
Result<std::vector<IndexSpec>> change_indexes(Database& database, const Collection& collection,
                                              const Definition& desired, NewIndexes& created);

// The row of a policy that an index belongs to: its path, or the paths and orders of its composite.
struct PolicyRow {
  std::string path;
  Array composite;
};
std::optional<PolicyRow> policy_row_of(const Definition& definition, std::string_view index_name);

}  // namespace mayfly::cosmos
