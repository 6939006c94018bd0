// The indexes of the core that a container has: two orders that the wire speaks of, one for each
// unique key, that of its key ranges (docs/decisions/0035), those that its indexing policy names
// (docs/decisions/0016), and of the paths that the policy includes by a wildcard those that queries
// have asked for (docs/decisions/0038).
#pragma once

#include <optional>
#include <vector>

#include "db/database.h"
#include "dialect/common/collections/new_indexes.h"
#include "dialect/cosmos/containers/definition.h"

namespace mayfly::cosmos {

// As many of the policy's as there is room for; what is left is found by scanning.
std::vector<IndexSpec> indexes_of(const Definition& definition);

// The index by one property, if the policy includes it.
std::optional<IndexSpec> index_of_field(const Definition& definition, const Field& field);
// Whether an index of that name belongs to a policy.
bool is_name_of_policy_index(std::string_view name);

// Makes the collection's indexes those of a definition: drops others of a policy, but for those of
// one property that this policy includes, then fills what is missing over the documents that are
// there, which `created` keeps or drops. Gives those that are there then, as far as there is room;
// unique ones are always among them. Fails with exists, before it changes anything, where another
// index has the name of one; otherwise as the database does, maybe half way: answers are right with
// any indexes of a policy.
Result<std::vector<IndexSpec>> change_indexes(Database& database, const Collection& collection,
                                              const Definition& wanted, NewIndexes& created);

// A row of a policy that has led to an index: its path, or the paths and orders of its composite.
struct PolicyRow {
  std::string path;
  Array composite;
};
std::optional<PolicyRow> policy_row_of(const Definition& definition, std::string_view index_name);

}  // namespace mayfly::cosmos
