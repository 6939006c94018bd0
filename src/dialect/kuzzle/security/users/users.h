// Users as they are made and removed: each with its password and its API keys, all or nothing of
// them in one transaction.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// None where there is no such user.
Result<std::optional<User>> read_user(Database& database, const std::string& id);
Result<std::optional<User>> read_user(View& view, const std::string& id);
// Fails with not_found.
Result<UserRef> find_user(Database& database, const std::string& id);
// Inside the transaction that writes what belongs to the user: fails with not_found where it went
// after the request was let in, also where there is a later user of its id.
Result<void> must_stand(View& view, const UserRef& user);

struct NewUser {
  std::string id;
  Object content;
  const Object* credentials = nullptr;  // {username, password} in the request; null: none are given
  NewPassword password = {};            // made of them by hash_password_of()
};

// What `{content, credentials}` says; a user without an id gets one. Fails with invalid.
Result<NewUser> parse_new_user(const Call& call, const std::string& id, const Object& body);
// Takes long by design, so it is done outside a transaction.
Result<void> hash_password_of(NewUser& user);

struct UserPlaces {
  PrivateTable<User> users;
  PrivateTable<Password> passwords;
};
Result<UserPlaces> user_places(Database& database);

// What an earlier user of the same id has left behind goes first: a user is reached by its own
// password and keys only. Fails with exists where a user of that id, or another one's login, is
// there, and with not_found where one names a profile that does not exist.
Result<void> put_users(const Call& call, Transaction& transaction, const UserPlaces& places,
                       const std::vector<NewUser>& made);
// Those of them that are there.
Result<void> remove_users(const Call& call, Transaction& transaction, const UserPlaces& places,
                          const std::set<std::string>& ids);

}  // namespace mayfly::kuzzle
