// What a collection promises, as JSON: default_ttl, stamp_ttl, writers_may_set_ttl,
// keep_history_for, keep_trash_for, keep_feed_for, keep_purges_for, expire_to_trash, indexed; and
// its indexes.
#pragma once

#include "db/database.h"
#include "dialect/common/requests/json_body.h"

namespace mayfly::native {

// The promises among the members; those that are not there stay unset. Fails with invalid, naming
// the member.
Result<CollectionChange> read_promises(MemberReader& members);
// The same without what the collection promises already, so that asking twice changes nothing.
CollectionChange without_current(CollectionChange change, const Collection& collection);
bool is_empty(const CollectionChange& change);

// One index; `path` is where it stands in the body.
Result<IndexSpec> read_index(const Object& object, std::string path);
// The member "indexes"; none where it is not there.
Result<std::vector<IndexSpec>> read_indexes(MemberReader& members);
bool is_same(const Index& index, const IndexSpec& spec);

Value to_value(const Collection& collection);
Value to_value(const Index& index);

// Seconds; a fraction is kept.
Value to_seconds(Span span);

// Errors of the layers below name their own words; this gives ours.
Error in_our_words(Error error);

}  // namespace mayfly::native
