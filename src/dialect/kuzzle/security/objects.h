// Users, profiles and roles as objects that are written and told.
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

// What an action is about: its name says so.
struct Sort {
  std::string_view word;  // as `getUser` ends
  std::string_view collection;
  std::string_view unknown;  // the id of the error where there is none
};
const Sort& sort_of(const Call& call);

// {hits, total}, and `scrollId` where there is one.
std::string render_security_hits(const std::vector<std::string>& hits, std::uint64_t total,
                                 std::string_view scroll_id = {});

// {_id, _version, _source, …}
std::string render_security(const Call& call, const Document& document);

// A user, profile or role, with what else must be true of it.
Result<void> write_object(const Call& call, Transaction& transaction,
                          const CollectionPtr& collection, const Wish& wish);
// Writes one and answers with it. `only`: the user that it must be.
Result<std::string> write_security(const Call& call, std::string_view collection, const Wish& wish,
                                   const std::optional<UserRef>& only = {});

// The name that a user logs in with; empty where he has none.
Result<std::string> name_of_user(const Call& call, const std::string& user_id);

// Whether it had one. Fails with not_found where that user is not there.
Result<bool> forget_password(const Call& call, const UserRef& user);
// Those of these users, whoever of them has one.
Result<void> forget_passwords(Transaction& transaction, const PrivateTable<Password>& table,
                              const std::set<std::string>& user_ids);

enum class PasswordIs { fresh, changed };
// A name and a password that a request gives, the password hashed already, which takes long by
// design: so it is done outside a transaction. Empty: the request says nothing of it.
struct NewPassword {
  std::string name;
  std::string hash;
};
Result<NewPassword> hash_credentials(const Object& credentials, PasswordIs how);
// Of a user that has none. Fails with exists where the name is another user's.
Result<void> put_first_password(Transaction& transaction, const PrivateTable<Password>& table,
                                const std::string& user_id, const NewPassword& password);
// Keeps `{username, password}`; of a change, what is not said stays. Fails with exists where the
// name is another user's, and with not_found where that user is not there any more.
Result<void> keep_password(const Call& call, const UserRef& user, const Object* credentials,
                           PasswordIs how);

}  // namespace mayfly::kuzzle
