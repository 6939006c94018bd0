// The validation of users, profiles and roles, and the references between them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// `is_whole`: the object is complete, not a set of changes. Fails with invalid.
Result<void> check_object(std::string_view collection, const Object& object, bool is_whole);

// The checks of version 2: a role may name only actions of the API, unless the request has `force`;
// with `strict`, a profile may name only collections that exist. Fails with invalid or not_found.
Result<void> check_names(const KuzzleCall& call, std::string_view collection, const std::string& id,
                         const Object& object);

// Checks the `restrictedTo` of a policy: missing, null, or an array of {index, collections}. Fails
// with invalid.
Result<void> check_restriction(const Value& restriction);

// Checks that the roles of a profile, or the profiles of a user, exist; for changes, those that the
// changes name. Sees what the transaction has written. Fails with not_found.
Result<void> check_references(const KuzzleCall& call, Transaction& transaction,
                              std::string_view collection, const std::string& id,
                              const Object& object);

// Checks that clients can still log in after the transaction has written the role `anonymous`.
// Fails with invalid.
Result<void> check_login(const KuzzleCall& call, Transaction& transaction,
                         std::string_view collection, const std::string& id);

// The collection whose objects refer to those of `collection`: users refer to profiles, profiles to
// roles. Null: nothing refers to them.
Result<CollectionPtr> referring_collection(Database& database, std::string_view collection);

// Called before these profiles or roles are removed. With `onAssignedUsers: remove` users lose the
// profiles; otherwise fails with forbidden while one of them is in use. `referring`: from
// referring_collection().
Result<void> release_references(const KuzzleCall& call, Transaction& transaction,
                                const CollectionPtr& referring, const std::set<std::string>& ids);

}  // namespace mayfly::kuzzle
