#include "dialect/kuzzle/security/users/users.h"

#include <fmt/format.h>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/auth/api_keys.h"
#include "dialect/kuzzle/security/definitions.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {
namespace {

tl::unexpected<Error> user_exists(const std::string& id) {
  return problem("services.storage.document_already_exists",
                 fmt::format("User with id \"{}\" already exists.", id));
}

tl::unexpected<Error> no_such_user(const std::string& id) {
  return problem_in_both("security.user.not_found",
                         fmt::format("User with id \"{}\" not found", id), {id});
}

}  // namespace

Result<std::optional<User>> read_user(Database& database, const std::string& id) {
  return find_security_table<User>(*database.catalog()).get(database, DocumentKey::of(id));
}

Result<std::optional<User>> read_user(View& view, const std::string& id) {
  return find_security_table<User>(view.catalog()).get(view, DocumentKey::of(id));
}

Result<UserRef> find_user(Database& database, const std::string& id) {
  const auto user = TRY(read_user(database, id));
  if (!user) return no_such_user(id);
  return UserRef{id, user->document.created_at};
}

Result<void> check_user_exists(View& view, const UserRef& user) {
  const auto standing = TRY(read_user(view, user.id));
  if (!standing || standing->document.created_at != user.created_at) return no_such_user(user.id);
  return {};
}

Result<NewUser> parse_new_user(const KuzzleCall& call, const std::string& id, const Object& body) {
  NewUser user;
  user.id = id.empty() ? new_document_id(call.shared.services.random) : id;
  const Value* content = body.find("content");
  if (content != nullptr && !content->is(Kind::object)) return wrong_type("content", "object");
  if (content != nullptr) user.content = content->object();
  const Value* credentials = body.find("credentials");
  if (credentials == nullptr || credentials->is_null()) return user;
  if (!credentials->is(Kind::object)) return wrong_type("credentials", "object");
  for (const auto& [strategy, value] : credentials->object()) {
    if (strategy != "local") {
      return problem("security.credentials.unknown_strategy",
                     fmt::format("Unknown authentication strategy \"{}\"", strategy));
    }
    if (!value.is(Kind::object)) return wrong_type("credentials.local", "object");
    user.credentials = &value.object();
  }
  return user;
}

Result<void> hash_password_of(NewUser& user) {
  if (user.credentials == nullptr) return {};
  user.password = TRY(hash_credentials(*user.credentials, PasswordWrite::first));
  return {};
}

Result<UserTables> user_tables(Database& database) {
  auto of_users = TRY(ensure_security_table<User>(database));
  auto of_passwords = TRY(ensure_security_table<Password>(database));
  return UserTables{std::move(of_users), std::move(of_passwords)};
}

Result<void> put_users(const KuzzleCall& call, Transaction& transaction, const UserTables& places,
                       const std::vector<NewUser>& made) {
  std::set<std::string> ids;
  for (const NewUser& user : made) {
    const DocumentKey key = DocumentKey::of(user.id);
    TRY(check(key));
    if (TRY(places.users.get(transaction.view(), key))) return user_exists(user.id);
    // A document that is not a valid user is replaced.
    const auto replaced_users = places.users.remove(transaction, key);
    const bool is_free = replaced_users || replaced_users.error().code == Code::not_found;
    if (!is_free) return replaced_users;
    ids.insert(user.id);
  }
  TRY(remove_passwords(transaction, places.passwords, ids));
  TRY(remove_api_keys(transaction, ids));
  for (const NewUser& user : made) {
    if (!user.password.name.empty()) {
      TRY(put_first_password(transaction, places.passwords, user.id, user.password));
    }
    TRY(write_document(call, transaction, places.users.collection(),
                       {.how = WriteKind::create, .id = user.id, .body = user.content}));
    TRY(check_references(call, transaction, users, user.id, user.content));
  }
  return {};
}

Result<void> remove_users(const KuzzleCall& call, Transaction& transaction,
                          const UserTables& places, const std::set<std::string>& ids) {
  TRY(remove_passwords(transaction, places.passwords, ids));
  TRY(remove_api_keys(transaction, ids));
  for (const std::string& id : ids) {
    const DocumentKey key = DocumentKey::of(id);
    if (!TRY(places.users.get(transaction.view(), key))) continue;
    TRY(places.users.remove(transaction, key, {.author = call.principal.id}));
  }
  return {};
}

}  // namespace mayfly::kuzzle
