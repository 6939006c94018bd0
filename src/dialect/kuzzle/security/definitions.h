// Users, profiles and roles as definitions: what each must be, so that rights can be read out of
// it, and which profile or role each refers to.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// `is_whole`: the object is not the changes of one. Fails with invalid.
Result<void> check_object(std::string_view collection, const Object& object, bool is_whole);

// What a role or a profile names, where version 2 asks: a role names actions of the API, unless the
// request has `force`; with `strict`, a profile names places that exist. Fails with invalid or
// not_found.
Result<void> check_names(const Call& call, std::string_view collection, const std::string& id,
                         const Object& object);

// The `restrictedTo` of a policy: missing or null, or an array of {index, collections}. Fails with
// invalid.
Result<void> check_restriction(const Value& restriction);

// Whether the roles of a profile, or the profiles of a user, exist; of changes, those that they
// name. What the transaction has written counts. Fails with not_found.
Result<void> check_references(const Call& call, Transaction& transaction,
                              std::string_view collection, const std::string& id,
                              const Object& object);

// Whether clients can still log in, where the transaction has written the role `anonymous`. Fails
// with invalid.
Result<void> check_login(const Call& call, Transaction& transaction, std::string_view collection,
                         const std::string& id);

// The collection of what refers to profiles or roles: users or profiles. Null: nothing refers to
// what lies in `collection`.
Result<CollectionPtr> referring_collection(Database& database, std::string_view collection);

// Before these profiles or roles are removed. With `onAssignedUsers: remove` users lose the
// profiles; otherwise fails with forbidden while one of them is in use. `referring`: as
// referring_collection() gives it.
Result<void> release_references(const Call& call, Transaction& transaction,
                                const CollectionPtr& referring, const std::set<std::string>& ids);

}  // namespace mayfly::kuzzle
