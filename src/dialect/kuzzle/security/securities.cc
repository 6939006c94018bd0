// admin:loadSecurities: roles, profiles and users together. All are checked before the first is
// written, and they are written in one transaction, so a refused request changes nothing.
#include <fmt/format.h>

#include "base/threads/run_permit.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/bulk.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/definitions.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/security/users/users.h"

namespace mayfly::kuzzle {
namespace {

enum class OnExisting { fail, skip, overwrite };

Result<OnExisting> on_existing_users(const KuzzleCall& call) {
  const auto requested = TRY(call.text("onExistingUsers"));
  const std::string_view mode = requested ? *requested : call.generation().existing_users;
  if (mode == "fail") return OnExisting::fail;
  if (mode == "skip") return OnExisting::skip;
  if (mode == "overwrite") return OnExisting::overwrite;
  return problem("api.assert.unexpected_argument",
                 "Unexpected argument \"onExistingUsers\" (accepted arguments: skip, overwrite, "
                 "fail)");
}

// The member of the body that is {id: object}; empty if there is none.
Result<Object> listed_objects(const KuzzleCall& call, std::string_view sort) {
  const Value* listed = TRY(call.body())->find(sort);
  if (listed == nullptr || listed->is_null()) return Object();
  if (!listed->is(Kind::object)) return wrong_type(sort, "object");
  for (const auto& [id, object] : listed->object()) {
    if (!object.is(Kind::object)) return wrong_type(id, "object");
    TRY(check(DocumentKey::of(id)));
    if (sort == users) continue;
    TRY(check_object(sort, object.object(), true));
    TRY(check_names(call, sort, id, object.object()));
  }
  return listed->object();
}

// Hashing takes long by design, so many passwords are limited by the request's time, and other
// logins can run in between.
Result<void> hash_passwords_of(const KuzzleCall& call, std::vector<NewUser>& made) {
  for (NewUser& user : made) {
    if (monotonic_now() >= call.answer_by) {
      return fail(Code::timed_out,
                  "there are too many passwords to be hashed in the time of a request");
    }
    if (RunPermit* permit = current_run_permit()) TRY(permit->renew());
    TRY(hash_password_of(user));
  }
  return {};
}

// The users' credentials point into `listed`.
Result<std::vector<NewUser>> users_to_make(const KuzzleCall& call, const Object& listed,
                                           OnExisting how) {
  std::vector<NewUser> made;
  for (const auto& [id, object] : listed) {
    NewUser user = TRY(parse_new_user(call, id, object.object()));
    TRY(check_object(users, user.content, true));
    const bool stands = TRY(read_user(call.database(), id)).has_value();
    if (stands && how == OnExisting::fail) {
      return problem("security.user.prevent_overwrite", "Cannot overwrite existing users.");
    }
    if (!stands || how == OnExisting::overwrite) made.push_back(std::move(user));
  }
  TRY(hash_passwords_of(call, made));
  return made;
}

Result<void> write_objects(const KuzzleCall& call, Transaction& transaction,
                           const CollectionPtr& collection, const Object& listed) {
  for (const auto& [id, object] : listed) {
    TRY(write_object(call, transaction, collection,
                     {.how = WriteKind::create_or_replace, .id = id, .body = object}));
  }
  return {};
}

}  // namespace

Result<std::string> load_securities(KuzzleCall& call) {
  const OnExisting how = TRY(on_existing_users(call));
  const Object new_roles = TRY(listed_objects(call, roles));
  const Object new_profiles = TRY(listed_objects(call, profiles));
  const Object listed_users = TRY(listed_objects(call, users));
  TRY(check_bulk_count(new_roles.size() + new_profiles.size() + listed_users.size()));
  const std::vector<NewUser> made = TRY(users_to_make(call, listed_users, how));
  std::set<std::string> ids;
  for (const NewUser& user : made) ids.insert(user.id);
  const CollectionPtr of_roles = TRY(security_collection(call.database(), roles));
  const CollectionPtr of_profiles = TRY(security_collection(call.database(), profiles));
  const UserTables places = TRY(user_tables(call.database()));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(write_objects(call, transaction, of_roles, new_roles));
    TRY(write_objects(call, transaction, of_profiles, new_profiles));
    if (how == OnExisting::overwrite) TRY(remove_users(call, transaction, places, ids));
    return put_users(call, transaction, places, made);
  }));
  return R"({"acknowledge":true})";  // as Kuzzle spells it
}

}  // namespace mayfly::kuzzle
