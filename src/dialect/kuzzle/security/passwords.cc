// Names and passwords. A password's document has the name as its id, and the user it is of.
#include <fmt/format.h>

#include "base/passwords.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/security/users.h"

namespace mayfly::kuzzle {
namespace {

Result<std::string> text_in(const Object& credentials, std::string_view name) {
  const Value* value = credentials.find(name);
  if (value == nullptr) return std::string();
  if (!value->is(Kind::text)) return wrong_type(name, "string");
  return value->text();
}

Result<std::optional<Document>> find_by_user(View& view, const Collection& collection,
                                             const std::string& user_id) {
  DocumentRange range;
  for (bool more = true; more;) {
    DocumentPage page = TRY(view.scan(collection, range, view.live()));
    for (Document& document : page.documents) {
      const Value kuid = document.body.member("kuid");
      if (kuid.is(Kind::text) && kuid.text() == user_id) return std::optional(std::move(document));
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return std::nullopt;
}

using Expect = PutOptions::Expect;

Result<void> put_under_name(Transaction& transaction, const CollectionPtr& collection,
                            const std::string& name, const Object& body, Expect expect) {
  const Bytes packed = TRY(pack(body));
  auto put = transaction.put(collection, DocumentKey::of(name), packed, {.expect = expect});
  if (put) return {};
  if (put.error().code != Code::exists) return tl::unexpected(std::move(put).error());
  return problem("services.storage.document_already_exists",
                 fmt::format("Login \"{}\" is already used.", name));
}

// keep_password() within a transaction. `collection`: that of the passwords.
Result<void> put_password(Transaction& transaction, const CollectionPtr& collection,
                          const std::string& user_id, const NewPassword& password) {
  const auto before = TRY(find_by_user(transaction.view(), *collection, user_id));
  const std::string now_named = !password.name.empty() ? password.name
                                : before               ? std::string(before->id)
                                                       : "";
  const Value old_hash = before ? before->body.member("hash") : Value();
  const Value kept = password.hash.empty() ? old_hash : Value(password.hash);
  if (now_named.empty()) return missing_argument("body attribute \"username\"");
  if (!kept.is(Kind::text)) return missing_argument("body attribute \"password\"");
  if (before && before->id != now_named) {
    TRY(transaction.remove(collection, before->document_key(), {.is_final = true}));
  }
  const bool is_same = before && before->id == now_named;
  return put_under_name(transaction, collection, now_named, {{"kuid", user_id}, {"hash", kept}},
                        is_same ? Expect::present : Expect::absent);
}

}  // namespace

Result<std::string> name_of_user(const Call& call, const std::string& user_id) {
  const CollectionPtr collection = TRY(security_collection(call.database(), passwords));
  View view = call.database().view();
  const auto found = TRY(find_by_user(view, *collection, user_id));
  return found ? std::string(found->id) : std::string();
}

Result<NewPassword> hash_credentials(const Object& credentials, PasswordIs how) {
  NewPassword made;
  made.name = TRY(text_in(credentials, "username"));
  const std::string password = TRY(text_in(credentials, "password"));
  const bool is_fresh = how == PasswordIs::fresh;
  if (is_fresh && made.name.empty()) return missing_argument("body attribute \"username\"");
  if (is_fresh && password.empty()) return missing_argument("body attribute \"password\"");
  if (!password.empty()) made.hash = TRY(hash_password(password));
  return made;
}

Result<void> put_first_password(Transaction& transaction, const CollectionPtr& collection,
                                const std::string& user_id, const NewPassword& password) {
  return put_under_name(transaction, collection, password.name,
                        {{"kuid", user_id}, {"hash", password.hash}}, Expect::absent);
}

Result<void> keep_password(const Call& call, const UserRef& user, const Object* credentials,
                           PasswordIs how) {
  const NewPassword password = TRY(hash_credentials(*credentials, how));
  const CollectionPtr collection = TRY(security_collection(call.database(), passwords));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(must_stand(transaction.view(), user));
    return put_password(transaction, collection, user.id, password);
  }));
  return {};
}

Result<void> forget_passwords(Transaction& transaction, const CollectionPtr& collection,
                              const std::set<std::string>& user_ids) {
  View& view = transaction.view();
  DocumentRange range;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan(*collection, range, view.live()));
    for (const Document& password : page.documents) {
      const Value kuid = password.body.member("kuid");
      if (!kuid.is(Kind::text) || !user_ids.contains(kuid.text())) continue;
      TRY(transaction.remove(collection, password.document_key(), {.is_final = true}));
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return {};
}

Result<bool> forget_password(const Call& call, const UserRef& user) {
  const CollectionPtr collection = TRY(security_collection(call.database(), passwords));
  bool had_one = false;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(must_stand(transaction.view(), user));
    const auto before = TRY(find_by_user(transaction.view(), *collection, user.id));
    had_one = before.has_value();
    if (!before) return {};
    return transaction.remove(collection, before->document_key(), {.is_final = true});
  }));
  return had_one;
}

}  // namespace mayfly::kuzzle
