// Names and passwords. A password's document has the name as its id and contains the user's id.
#include <fmt/format.h>

#include "base/crypto/passwords.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/users/users.h"

namespace mayfly::kuzzle {
namespace {

Result<std::string> text_in(const Object& credentials, std::string_view name) {
  const Value* value = credentials.find(name);
  if (value == nullptr) return std::string();
  if (!value->is(Kind::text)) return wrong_type(name, "string");
  return value->text();
}

Result<std::optional<Password>> find_by_user(View& view, const PrivateTable<Password>& table,
                                             const std::string& user_id) {
  std::optional<Password> found;
  TRY(table.each(view, [&](Password password) -> Result<bool> {
    if (password.user_id == user_id) found = std::move(password);
    return !found;
  }));
  return found;
}

using Expect = PutOptions::Expect;

Result<void> put_under_name(Transaction& transaction, const PrivateTable<Password>& table,
                            const Password& password, Expect expect) {
  auto put = table.put(transaction, DocumentKey::of(password.name), password, {.expect = expect});
  if (put) return {};
  if (put.error().code != Code::exists) return tl::unexpected(std::move(put).error());
  return problem("services.storage.document_already_exists",
                 fmt::format("Login \"{}\" is already used.", password.name));
}

// store_password() within a transaction.
Result<void> put_password(Transaction& transaction, const PrivateTable<Password>& table,
                          const std::string& user_id, const NewPassword& new_password) {
  const auto before = TRY(find_by_user(transaction.view(), table, user_id));
  Password password = before.value_or(Password{.user_id = user_id});
  if (!new_password.name.empty()) password.name = new_password.name;
  if (!new_password.hash.empty()) password.hash = new_password.hash;
  if (password.name.empty()) return missing_in_body("username");
  if (password.hash.empty()) return missing_in_body("password");
  const bool is_same = before && before->name == password.name;
  if (before && !is_same) TRY(table.remove(transaction, DocumentKey::of(before->name)));
  return put_under_name(transaction, table, password, is_same ? Expect::present : Expect::absent);
}

}  // namespace

Result<std::string> name_of_user(const KuzzleCall& call, const std::string& user_id) {
  View view = call.database().view();
  const auto found =
      TRY(find_by_user(view, find_security_table<Password>(view.catalog()), user_id));
  return found ? found->name : std::string();
}

Result<NewPassword> hash_credentials(const Object& credentials, PasswordWrite how) {
  NewPassword made;
  made.name = TRY(text_in(credentials, "username"));
  const std::string password = TRY(text_in(credentials, "password"));
  const bool is_fresh = how == PasswordWrite::first;
  if (is_fresh && made.name.empty()) return missing_in_body("username");
  if (is_fresh && password.empty()) return missing_in_body("password");
  if (!password.empty()) made.hash = TRY(hash_password(password));
  return made;
}

Result<void> put_first_password(Transaction& transaction, const PrivateTable<Password>& table,
                                const std::string& user_id, const NewPassword& password) {
  return put_under_name(transaction, table, {password.name, user_id, password.hash},
                        Expect::absent);
}

Result<void> store_password(const KuzzleCall& call, const UserRef& user, const Object* credentials,
                            PasswordWrite how) {
  const NewPassword password = TRY(hash_credentials(*credentials, how));
  const auto table = TRY(ensure_security_table<Password>(call.database()));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(check_user_exists(transaction.view(), user));
    return put_password(transaction, table, user.id, password);
  }));
  return {};
}

Result<void> remove_passwords(Transaction& transaction, const PrivateTable<Password>& table,
                              const std::set<std::string>& user_ids) {
  return table.each(transaction.view(), [&](const Password& password) -> Result<bool> {
    if (!user_ids.contains(password.user_id)) return true;
    TRY(table.remove(transaction, DocumentKey::of(password.name)));
    return true;
  });
}

Result<bool> remove_password(const KuzzleCall& call, const UserRef& user) {
  const auto table = TRY(ensure_security_table<Password>(call.database()));
  bool had_one = false;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(check_user_exists(transaction.view(), user));
    const auto before = TRY(find_by_user(transaction.view(), table, user.id));
    had_one = before.has_value();
    if (!before) return {};
    return table.remove(transaction, DocumentKey::of(before->name));
  }));
  return had_one;
}

}  // namespace mayfly::kuzzle
