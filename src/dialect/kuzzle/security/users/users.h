// Creates and removes users: each together with its password and its API keys in one transaction.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// Nothing if there is no such user.
Result<std::optional<User>> read_user(Database& database, const std::string& id);
Result<std::optional<User>> read_user(View& view, const std::string& id);
// Fails with not_found.
Result<UserRef> find_user(Database& database, const std::string& id);
// Called inside the transaction that writes what belongs to the user. Fails with not_found if the
// user was removed after the request was authorized, also if there is a later user with its id.
Result<void> check_user_exists(View& view, const UserRef& user);

struct NewUser {
  std::string id;
  Object content;
  const Object* credentials = nullptr;  // {username, password} in the request's body; null: none
  NewPassword password = {};            // set by hash_password_of()
};

// Parses `{content, credentials}`; a user without an id gets one. Fails with invalid.
Result<NewUser> parse_new_user(const KuzzleCall& call, const std::string& id, const Object& body);
// Takes long by design, so call it outside a transaction.
Result<void> hash_password_of(NewUser& user);

struct UserTables {
  PrivateTable<User> users;
  PrivateTable<Password> passwords;
};
Result<UserTables> user_tables(Database& database);

// Creates users. What an earlier user of the same id has left is removed first, so only the user's
// own password and keys give access. Fails with exists if a user with that id, or another user with
// that login name, exists, and with not_found if a user names a profile that does not exist.
Result<void> put_users(const KuzzleCall& call, Transaction& transaction, const UserTables& places,
                       const std::vector<NewUser>& made);
// Removes those of the users that exist.
Result<void> remove_users(const KuzzleCall& call, Transaction& transaction,
                          const UserTables& places, const std::set<std::string>& ids);

}  // namespace mayfly::kuzzle
