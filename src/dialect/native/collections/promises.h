// The policy of a collection, as JSON: default_ttl, stamp_ttl, writers_may_set_ttl,
// keep_history_for, keep_trash_for, keep_feed_for, keep_purges_for, expire_to_trash, indexed; and
// its indexes.
#pragma once

#include "db/database.h"
#include "dialect/common/requests/json_body.h"

namespace mayfly::native {

// Reads the policy members; missing ones stay unset. Fails with invalid, naming the member.
Result<CollectionChange> read_policy(MemberReader& members);
// The change without what already applies to the collection, so that a repeated request changes
// nothing.
CollectionChange without_current(CollectionChange change, const Collection& collection);
bool is_empty(const CollectionChange& change);

// One index; `path` is its path in the body.
Result<IndexSpec> read_index(const Object& object, std::string path);
// The member "indexes"; empty if it is missing.
Result<std::vector<IndexSpec>> read_indexes(MemberReader& members);
bool is_same(const Index& index, const IndexSpec& spec);

Value to_value(const Collection& collection);
Value to_value(const Index& index);

// Seconds; a fraction is kept.
Value to_seconds(Span span);

// Replaces the names of lower layers in an error by those of the API.
Error in_api_terms(Error error);

}  // namespace mayfly::native
