// security:upsertUser.
#include <optional>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/definitions.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/users/users.h"

namespace mayfly::kuzzle {
namespace {

// The user that an upsert creates: the default, with the changes over it.
Result<NewUser> user_of_upsert(const KuzzleCall& call, const std::string& id) {
  NewUser user = TRY(parse_new_user(call, id, *TRY(call.body())));
  const Value otherwise = call.message.body.member("default");
  if (otherwise.is(Kind::object)) {
    user.content = merge_deeply(otherwise, user.content).object();
  } else if (!otherwise.is_missing() && !otherwise.is_null()) {
    return wrong_type("body.default", "object");
  }
  return user;
}

}  // namespace

// Changes a user, or creates one from the default, the changes and the credentials. The transaction
// decides which.
Result<std::string> upsert_user(KuzzleCall& call) {
  NewUser made = TRY(user_of_upsert(call, TRY(call.id())));
  Value changes = call.message.body.member("content");
  if (changes.is_missing()) changes = Object();
  const WriteRequest request{.how = WriteKind::update, .id = made.id, .body = std::move(changes)};
  // The password is used only for a new user.
  const bool is_there = TRY(read_user(call.database(), made.id)).has_value();
  if (!is_there) TRY(hash_password_of(made));
  const UserTables places = TRY(user_tables(call.database()));
  const auto& collection = places.users.collection();
  bool is_new = false;
  std::optional<Document> written;
  const auto write = [&](Transaction& transaction) -> Result<void> {
    is_new = !TRY(read_user(transaction.view(), made.id));
    if (!is_new) {
      TRY(check_object(users, request.body.object(), false));
      return write_object(call, transaction, collection, request);
    }
    if (is_there && made.credentials != nullptr) {
      return fail(Code::contended, "the user has been removed meanwhile");
    }
    TRY(check_object(users, made.content, true));
    return put_users(call, transaction, places, {made});
  };
  TRY(call.database().transact(write, [&](const Transaction& transaction, Instant) {
    written = transaction.written(collection, DocumentKey::of(made.id));
  }));
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  render_document(*written, call.generation(), json);
  json.member("created", is_new);
  json.end_object();
  return out;
}

}  // namespace mayfly::kuzzle
