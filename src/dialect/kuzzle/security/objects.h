// Users, profiles and roles: writing them and rendering them for answers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// The kind of object that an action handles, by its route.
struct ObjectKind {
  std::string_view word;  // in error messages
  std::string_view collection;
  std::string_view unknown;  // the id of the error for a missing object
};
const ObjectKind& object_kind_of(const KuzzleCall& call);

// {hits, total}, and `scrollId` if there is one.
std::string render_security_hits(const std::vector<std::string>& hits, std::uint64_t total,
                                 std::string_view scroll_id = {});

// {_id, _version, _source, …}
std::string render_security(const KuzzleCall& call, const Document& document);

// Validates and writes a user, profile or role.
Result<void> write_object(const KuzzleCall& call, Transaction& transaction,
                          const CollectionPtr& collection, const WriteRequest& request);
// Writes one and renders it as the answer. `only`: fails unless it is this user.
Result<std::string> write_security(const KuzzleCall& call, std::string_view collection,
                                   const WriteRequest& request,
                                   const std::optional<UserRef>& only = {});

// The name that a user logs in with; empty if there is none.
Result<std::string> name_of_user(const KuzzleCall& call, const std::string& user_id);

// Returns whether the user had a password. Fails with not_found if the user does not exist.
Result<bool> remove_password(const KuzzleCall& call, const UserRef& user);
// Removes the passwords of those users that have one.
Result<void> remove_passwords(Transaction& transaction, const PrivateTable<Password>& table,
                              const std::set<std::string>& user_ids);

enum class PasswordWrite { first, changed };
// The name and the hashed password of a request. Hashing takes long by design, so it is done
// outside a transaction. Empty: the request has none.
struct NewPassword {
  std::string name;
  std::string hash;
};
Result<NewPassword> hash_credentials(const Object& credentials, PasswordWrite how);
// Stores the password of a user that has none. Fails with exists if another user has the name.
Result<void> put_first_password(Transaction& transaction, const PrivateTable<Password>& table,
                                const std::string& user_id, const NewPassword& password);
// Stores `{username, password}`; a change keeps what is missing. Fails with exists if another user
// has the name, and with not_found if the user does not exist any more.
Result<void> store_password(const KuzzleCall& call, const UserRef& user, const Object* credentials,
                            PasswordWrite how);

}  // namespace mayfly::kuzzle
