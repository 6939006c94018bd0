#include "dialect/kuzzle/security/objects.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/definitions.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/security/users/users.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr ObjectKind sorts[] = {{"User", users, "security.user.not_found"},
                                {"Profile", profiles, "security.profile.not_found"},
                                {"Role", roles, "security.role.not_found"}};

tl::unexpected<Error> not_there(const ObjectKind& sort, const std::string& id) {
  return problem_in_both(sort.unknown, fmt::format("{} with id \"{}\" not found", sort.word, id),
                         {id});
}

Result<std::string> write_sort(KuzzleCall& call, const std::string& id, WriteKind how) {
  const ObjectKind& sort = object_kind_of(call);
  const Object& body = *TRY(call.body());
  TRY(check_object(sort.collection, body, how != WriteKind::update));
  TRY(check_names(call, sort.collection, id, body));
  return write_security(call, sort.collection, {.how = how, .id = id, .body = body});
}

Result<NewUser> requested_user(const KuzzleCall& call) {
  return parse_new_user(call, call.message.id.value_or(""), *TRY(call.body()));
}

using Within = std::function<Result<void>(Transaction&)>;

// The user, and the other writes of that commit.
Result<std::string> make_user(KuzzleCall& call, NewUser user, const Within& also = {}) {
  TRY(hash_password_of(user));
  const UserTables places = TRY(user_tables(call.database()));
  const std::vector<NewUser> made{std::move(user)};
  const DocumentKey key = DocumentKey::of(made.front().id);
  std::optional<Document> written;
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        if (also) TRY(also(transaction));
        return put_users(call, transaction, places, made);
      },
      [&](const Transaction& transaction, Instant) {
        written = transaction.written(places.users.collection(), key);
      }));
  return render_security(call, *written);
}

// The collections that a restriction of rights writes.
struct RightsPlaces {
  CollectionPtr roles;
  CollectionPtr profiles;  // null: unchanged
};
Result<RightsPlaces> rights_places(const KuzzleCall& call) {
  RightsPlaces places;
  places.roles = TRY(security_collection(call.database(), roles));
  if (!call.generation().resets_profiles) return places;
  places.profiles = TRY(security_collection(call.database(), profiles));
  return places;
}

// Built-in ones have their initial content.
Result<void> reset_profiles(const KuzzleCall& call, Transaction& transaction,
                            const CollectionPtr& of_profiles) {
  if (!of_profiles) return {};
  for (const std::string_view name : built_in) {
    WriteRequest request{.how = WriteKind::create_or_replace, .id = std::string(name)};
    request.body = TRY(Profile::initial(request.id).encode());
    TRY(write_document(call, transaction, of_profiles, request));
  }
  return {};
}

// The rights that remain without further grants.
Result<void> restrict_rights(const KuzzleCall& call, Transaction& transaction,
                             const RightsPlaces& places) {
  const Object yes_auth{{"checkToken", true}, {"getCurrentUser", true}, {"getMyRights", true}};
  Object of_anonymous = yes_auth;
  of_anonymous.append("login", true);
  Object of_default = yes_auth;
  of_default.append("logout", true);
  of_default.append("updateSelf", true);
  const Object info{
      {"actions", Object{{"info", true}, {"publicApi", true}, {"capabilities", true}}}};
  const auto write = [&](const char* id, const Object& actions) -> Result<void> {
    const Object role{
        {"controllers", Object{{"auth", Object{{"actions", actions}}}, {"server", info}}}};
    TRY(write_document(call, transaction, places.roles,
                       {.how = WriteKind::create_or_replace, .id = id, .body = role}));
    return {};
  };
  TRY(write("anonymous", of_anonymous));
  TRY(write("default", of_default));
  return reset_profiles(call, transaction, places.profiles);
}

Result<std::vector<std::string>> object_ids(const KuzzleCall& call) {
  std::vector<std::string> ids;
  const Value* argument = call.message.arguments.find("ids");
  const bool is_in_body = !call.message.body.member("ids").is_missing();
  if (!is_in_body && argument != nullptr && argument->is(Kind::text)) {
    ids = split_at_commas(argument->text());
  } else {
    for (const Value& id : *TRY(call.body_array("ids"))) {
      if (!id.is(Kind::text)) return wrong_type("ids", "array of strings");
      ids.push_back(id.text());
    }
  }
  if (ids.size() <= call.shared.options.fetched_max) return ids;
  return problem("services.storage.get_limit_exceeded", "too many ids are asked for at once");
}

// Without them, anonymous callers would have every right again.
Result<void> check_may_go(const ObjectKind& sort, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    if (sort.collection == users || !is_built_in(id)) continue;
    return problem("api.assert.invalid_argument",
                   fmt::format("{} is one of the basic {} of Kuzzle, and cannot be deleted.", id,
                               sort.collection));
  }
  return {};
}

// Returns those that existed. All or nothing: a refusal removes nothing.
Result<std::set<std::string>> remove_all(const KuzzleCall& call, const ObjectKind& sort,
                                         const std::vector<std::string>& ids) {
  TRY(check_may_go(sort, ids));
  const CollectionPtr collection = TRY(security_collection(call.database(), sort.collection));
  UserTables places;
  if (sort.collection == users) places = TRY(user_tables(call.database()));
  // It must exist before the transaction, so that concurrent writes to it are detected.
  const CollectionPtr referring = TRY(referring_collection(call.database(), sort.collection));
  std::set<std::string> removed;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    removed.clear();
    for (const std::string& id : ids) {
      if (TRY(find_security(view, sort.collection, id))) removed.insert(id);
    }
    if (sort.collection == users) return remove_users(call, transaction, places, removed);
    TRY(release_references(call, transaction, referring, removed));
    for (const std::string& id : removed) {
      TRY(transaction.remove(collection, DocumentKey::of(id), {.author = call.principal.id}));
    }
    return {};
  }));
  return removed;
}

// As stored, or its initial content; empty if there is none.
Result<std::string> render_one(const KuzzleCall& call, const ObjectKind& sort,
                               const std::string& id) {
  View view = call.database().view();
  if (const auto found = TRY(find_security(view, sort.collection, id))) {
    return render_security(call, *found);
  }
  Value initial;
  if (sort.collection == profiles) initial = TRY(read_profile(view, id));
  if (sort.collection == roles) initial = TRY(read_role(view, id));
  if (initial.is_missing()) return std::string();
  return render_json(Object{{"_id", id}, {"_source", initial}});
}

}  // namespace

const ObjectKind& object_kind_of(const KuzzleCall& call) {
  for (const ObjectKind& sort : sorts) {
    if (call.route->traits.objects == sort.collection) return sort;
  }
  return sorts[0];
}

std::string render_security_hits(const std::vector<std::string>& hits, std::uint64_t total,
                                 std::string_view scroll_id) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.name("hits").begin_array();
  for (const std::string& hit : hits) json.raw(hit);
  json.end_array();
  json.member("total", total);
  if (!scroll_id.empty()) json.member("scrollId", scroll_id);
  json.end_object();
  return out;
}

std::string render_security(const KuzzleCall& call, const Document& document) {
  return render_whole(document, call.generation());
}

Result<void> write_object(const KuzzleCall& call, Transaction& transaction,
                          const CollectionPtr& collection, const WriteRequest& request) {
  TRY(write_document(call, transaction, collection, request));
  TRY(check_login(call, transaction, collection->name, request.id));
  return check_references(call, transaction, collection->name, request.id, request.body.object());
}

Result<std::string> write_security(const KuzzleCall& call, std::string_view collection_name,
                                   const WriteRequest& request,
                                   const std::optional<UserRef>& only) {
  const CollectionPtr collection = TRY(security_collection(call.database(), collection_name));
  std::optional<Document> after;
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        if (only) TRY(check_user_exists(transaction.view(), *only));
        return write_object(call, transaction, collection, request);
      },
      [&](const Transaction& transaction, Instant) {
        after = transaction.written(collection, DocumentKey::of(request.id));
      }));
  return render_security(call, *after);
}

// One transaction: of concurrent requests, only one creates the first administrator.
Result<std::string> create_first_admin(KuzzleCall& call) {
  if (TRY(has_admin(call.database()))) return admin_is_set();  // checked before hashing
  NewUser user = TRY(requested_user(call));
  if (user.credentials == nullptr) return missing_in_body("credentials");
  user.content.set("profileIds", Array{"admin"});
  const Value in_body = call.message.body.member("reset");
  // If a setting closes the server, nothing is left open.
  const bool restricts =
      TRY(call.flag("reset")) || in_body.is_true() || !call.shared.services.credentials.is_open();
  const RightsPlaces places = TRY(rights_places(call));
  return make_user(call, std::move(user), [&](Transaction& transaction) -> Result<void> {
    if (TRY(has_admin(transaction.view()))) return admin_is_set();
    if (restricts) TRY(restrict_rights(call, transaction, places));
    return {};
  });
}

Result<std::string> create_user(KuzzleCall& call) {
  NewUser user = TRY(requested_user(call));
  TRY(check_object(users, user.content, true));
  return make_user(call, std::move(user));
}

// A user whose profiles the server chooses.
Result<std::string> create_restricted_user(KuzzleCall& call) {
  NewUser user = TRY(requested_user(call));
  if (user.content.find("profileIds") != nullptr) {
    return problem("api.assert.invalid_argument",
                   "The request must not specify the body attribute \"content.profileIds\".");
  }
  user.content.set("profileIds", Array{"default"});
  return make_user(call, std::move(user));
}

Result<std::string> create_security(KuzzleCall& call) {
  return write_sort(call, TRY(call.id()), WriteKind::create);
}

Result<std::string> create_or_replace_security(KuzzleCall& call) {
  return write_sort(call, TRY(call.id()), WriteKind::create_or_replace);
}

Result<std::string> update_security(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  if (TRY(render_one(call, object_kind_of(call), id)).empty())
    return not_there(object_kind_of(call), id);
  return write_sort(call, id, WriteKind::update);
}

// The content is replaced; the user keeps its logins.
Result<std::string> replace_user(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  if (!TRY(read_user(call.database(), id))) return not_there(sorts[0], id);
  const Object& body = *TRY(call.body());
  TRY(check_object(users, body, true));
  return write_security(
      call, users, {.how = WriteKind::replace, .id = id, .body = body, .keeps_creation = true});
}

Result<std::string> get_security(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  std::string one = TRY(render_one(call, object_kind_of(call), id));
  if (one.empty()) return not_there(object_kind_of(call), id);
  return one;
}

Result<std::string> get_many_security(KuzzleCall& call) {
  std::vector<std::string> hits;
  for (const std::string& id : TRY(object_ids(call))) {
    std::string one = TRY(render_one(call, object_kind_of(call), id));
    if (!one.empty()) hits.push_back(std::move(one));
  }
  return render_security_hits(hits, hits.size());
}

Result<std::string> delete_security(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  if (TRY(remove_all(call, object_kind_of(call), {id})).empty())
    return not_there(object_kind_of(call), id);
  return render_json(Object{{"_id", id}});
}

// In the requested order.
Result<std::string> delete_many_security(KuzzleCall& call) {
  const std::vector<std::string> ids = TRY(object_ids(call));
  std::set<std::string> removed = TRY(remove_all(call, object_kind_of(call), ids));
  Array rendered;
  for (const std::string& id : ids) {
    if (removed.erase(id) > 0) rendered.emplace_back(id);
  }
  return render_json(rendered);
}

Result<std::string> get_rights(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  const ObjectKind& sort = object_kind_of(call);
  View view = call.database().view();
  std::vector<std::string> of{id};
  if (sort.collection == users) {
    const auto user = TRY(read_user(view, id));
    if (!user) return not_there(sort, id);
    of = user->profile_ids;
  } else if (TRY(read_profile(view, id)).is_missing()) {
    return not_there(sort, id);
  }
  const Array rights = TRY(rights_of(call.shared, of));
  return render_json(Object{{"hits", rights}, {"total", static_cast<std::int64_t>(rights.size())}});
}

Result<std::string> revoke_tokens(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  TRY(find_user(call.database(), id));
  TRY(end_all_tokens(call.database(), id));
  return "null";
}

// As createFirstAdmin does with `reset`. Without an administrator nothing could be changed
// afterwards.
Result<std::string> restrict_default_rights(KuzzleCall& call) {
  const RightsPlaces places = TRY(rights_places(call));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    if (TRY(has_admin(transaction.view()))) return restrict_rights(call, transaction, places);
    return problem("api.assert.invalid_argument",
                   "The default rights are restricted once there is an administrator.");
  }));
  return "null";
}

Result<std::string> admin_exists(KuzzleCall& call) {
  const bool exists = TRY(has_admin(call.database()));
  return render_json(Object{{"exists", exists}});
}

}  // namespace mayfly::kuzzle
