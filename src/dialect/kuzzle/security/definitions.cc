#include "dialect/kuzzle/security/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/rows.h"

namespace mayfly::kuzzle {
namespace {

bool is_name(const Value& value) {
  return value.is(Kind::text) && !value.text().empty();
}

// A misspelled restriction would restrict nothing, so an unknown member is refused.
Result<void> check_members(const Object& object, std::string_view first, std::string_view second) {
  for (const auto& [name, value] : object) {
    if (name == first || name == second) continue;
    return problem("api.assert.unexpected_argument",
                   fmt::format("Unexpected argument \"{}\" (accepted arguments: {}, {})", name,
                               first, second));
  }
  return {};
}

Result<void> check_policy(const Value& policy) {
  if (!policy.is(Kind::object)) return wrong_type("policies", "array of objects");
  TRY(check_members(policy.object(), "roleId", "restrictedTo"));
  if (!is_name(policy.member("roleId"))) return wrong_type("policies.roleId", "string");
  return check_restriction(policy.member("restrictedTo"));
}

Result<void> check_not_empty(const Object& object, const std::string& name) {
  if (!object.empty()) return {};
  return problem("api.assert.empty_argument", fmt::format("The argument \"{}\" is empty.", name));
}

Result<void> check_controller(const std::string& name, const Value& controller) {
  const Value actions = controller.member("actions");
  const std::string path = fmt::format("controllers.{}.actions", name);
  if (!actions.is(Kind::object)) return wrong_type(path, "object");
  TRY(check_not_empty(actions.object(), path));
  for (const auto& [action, allowed] : actions.object()) {
    if (allowed.is(Kind::boolean)) continue;
    return wrong_type(fmt::format("{}.{}", path, action), "boolean");
  }
  return {};
}

Result<void> check_actions(const std::string& role, const Object& controllers) {
  for (const auto& [controller, what] : controllers) {
    if (controller == "*") continue;
    for (const auto& [action, allowed] : what.member("actions").object()) {
      if (!has_controller(controller)) {
        return problem("security.role.unknown_controller",
                       fmt::format("Trying to set role {} with a non-existing controller '{}'.",
                                   role, controller));
      }
      if (action == "*" || find_route(controller, action) != nullptr) continue;
      return problem("security.role.unknown_action",
                     fmt::format("Trying to set role {} with a non-existing action '{}' in "
                                 "controller '{}'.",
                                 role, action, controller));
    }
  }
  return {};
}

Result<void> check_place_exists(const Catalog& catalog, const Value& place) {
  const std::string name = place.member("index").text();
  const auto index = catalog.find_database(name);
  if (!index) {
    return problem("services.storage.unknown_index",
                   fmt::format("The index \"{}\" does not exist.", name));
  }
  const Value collections = place.member("collections");
  if (!collections.is(Kind::array)) return {};
  for (const Value& collection : collections.array()) {
    if (catalog.find_collection(index->id, collection.text())) continue;
    return problem(
        "services.storage.unknown_collection",
        fmt::format("The collection \"{}\":\"{}\" does not exist.", name, collection.text()));
  }
  return {};
}

Result<void> check_places_exist(const Catalog& catalog, const Array& policies) {
  for (const Value& policy : policies) {
    const Value restriction = policy.member("restrictedTo");
    if (!restriction.is(Kind::array)) continue;
    for (const Value& place : restriction.array()) TRY(check_place_exists(catalog, place));
  }
  return {};
}

// The profiles that a user names, or the roles that the policies of a profile name.
std::vector<std::string> references_in(std::string_view collection, const Value& list) {
  std::vector<std::string> ids;
  if (!list.is(Kind::array)) return ids;
  for (const Value& one : list.array()) {
    const Value id = collection == users ? one : one.member("roleId");
    if (id.is(Kind::text)) ids.push_back(id.text());
  }
  return ids;
}
std::vector<std::string> references_of(const User& user) {
  return user.profile_ids;
}
std::vector<std::string> references_of(const Profile& profile) {
  return references_in(profiles, profile.policies);
}

std::string_view name_of_references(std::string_view collection) {
  return collection == users ? "profileIds" : "policies";
}

tl::unexpected<Error> missing_reference(const KuzzleCall& call, std::string_view collection,
                                        const std::string& id) {
  const bool is_user = collection == users;
  return problem(is_user ? "security.user.cannot_hydrate" : "security.profile.cannot_hydrate",
                 fill_words(call.generation().words.missing_reference, is_user ? "user" : "profile",
                            id, is_user ? "profile" : "role"));
}

tl::unexpected<Error> still_in_use(const KuzzleCall& call, bool is_profile, const std::string& id) {
  const std::string_view word = is_profile ? "profile" : "role";
  return problem(
      is_profile ? "security.profile.in_use" : "security.role.in_use",
      fill_words(call.generation().words.still_in_use, word, id, is_profile ? "users" : "profile"));
}

// Whether users lose the removed profile.
Result<bool> takes_from_users(const KuzzleCall& call) {
  const std::string mode = TRY(call.text("onAssignedUsers")).value_or("fail");
  if (mode == "fail" || mode == "remove") return mode == "remove";
  return problem("api.assert.unexpected_argument",
                 "Unexpected argument \"onAssignedUsers\" (accepted arguments: fail, remove)");
}

// A user or profile that refers to one of the given objects.
struct Holder {
  std::string id;
  std::vector<std::string> references;
  std::string used;  // the first of them
};
template <class Row>
Result<std::vector<Holder>> find_holders(View& view, const std::set<std::string>& ids,
                                         std::size_t at_most) {
  std::vector<Holder> holders;
  TRY(find_security_table<Row>(view.catalog()).each(view, [&](const Row& row) -> Result<bool> {
    const auto references = references_of(row);
    const auto used = std::find_if(references.begin(), references.end(),
                                   [&](const std::string& id) { return ids.contains(id); });
    if (used == references.end()) return true;
    holders.push_back({std::string(row.document.id), references, *used});
    return holders.size() < at_most;
  }));
  return holders;
}

// A user without any other profile gets `anonymous`.
Result<void> take_profiles(const KuzzleCall& call, Transaction& transaction,
                           const CollectionPtr& of_users, const std::vector<Holder>& from,
                           const std::set<std::string>& taken) {
  for (const Holder& user : from) {
    Array left;
    for (const std::string& id : user.references) {
      if (!taken.contains(id)) left.emplace_back(id);
    }
    if (left.empty()) left.emplace_back("anonymous");
    TRY(write_document(call, transaction, of_users,
                       {.how = WriteKind::update,
                        .id = user.id,
                        .body = Object{{"profileIds", std::move(left)}}}));
  }
  return {};
}

}  // namespace

Result<void> check_restriction(const Value& restriction) {
  if (restriction.is_missing() || restriction.is_null()) return {};
  if (!restriction.is(Kind::array)) return wrong_type("policies.restrictedTo", "array");
  for (const Value& place : restriction.array()) {
    if (!place.is(Kind::object)) return wrong_type("policies.restrictedTo", "array of objects");
    TRY(check_members(place.object(), "index", "collections"));
    if (!is_name(place.member("index"))) return wrong_type("policies.restrictedTo.index", "string");
    const Value collections = place.member("collections");
    if (collections.is_missing() || collections.is_null()) continue;
    const bool is_list =
        collections.is(Kind::array) &&
        std::all_of(collections.array().begin(), collections.array().end(), is_name);
    if (!is_list) return wrong_type("policies.restrictedTo.collections", "array of strings");
  }
  return {};
}

Result<void> check_object(std::string_view collection, const Object& object, bool is_whole) {
  const bool is_role = collection == roles;
  const std::string_view name = is_role ? "controllers" : name_of_references(collection);
  const Value* value = object.find(name);
  if (value == nullptr) {
    if (!is_whole) return {};
    return missing_in_body(name);
  }
  if (is_role) {
    if (!value->is(Kind::object)) return wrong_type(name, "object");
    TRY(check_not_empty(value->object(), std::string(name)));
    for (const auto& [controller, what] : value->object()) TRY(check_controller(controller, what));
    return {};
  }
  if (!value->is(Kind::array) || value->array().empty()) return wrong_type(name, "array");
  for (const Value& one : value->array()) {
    if (collection == profiles) TRY(check_policy(one));
    if (collection == users && !is_name(one)) return wrong_type(name, "array of strings");
  }
  return {};
}

Result<void> check_names(const KuzzleCall& call, std::string_view collection, const std::string& id,
                         const Object& object) {
  if (!call.generation().checks_security_names) return {};
  if (collection == roles && !TRY(call.flag("force"))) {
    const Value* controllers = object.find("controllers");
    if (controllers != nullptr) TRY(check_actions(id, controllers->object()));
  }
  if (collection == profiles && TRY(call.flag("strict"))) {
    const Value* policies = object.find("policies");
    if (policies != nullptr) {
      TRY(check_places_exist(*call.database().catalog(), policies->array()));
    }
  }
  return {};
}

Result<void> check_login(const KuzzleCall& call, Transaction& transaction,
                         std::string_view collection, const std::string& id) {
  if (collection != roles || id != "anonymous") return {};
  if (role_allows(TRY(read_role(transaction.view(), id)), "auth", "login")) return {};
  return problem("security.role.login_required",
                 std::string(call.generation().words.login_required));
}

Result<void> check_references(const KuzzleCall& call, Transaction& transaction,
                              std::string_view collection, const std::string& id,
                              const Object& object) {
  if (collection != users && collection != profiles) return {};
  const Value* list = object.find(name_of_references(collection));
  if (list == nullptr) return {};
  const std::string_view referred = collection == users ? profiles : roles;
  for (const std::string& reference : references_in(collection, *list)) {
    if (is_built_in(reference)) continue;
    if (TRY(find_security(transaction.view(), referred, reference))) continue;
    return missing_reference(call, collection, id);
  }
  return {};
}

Result<CollectionPtr> referring_collection(Database& database, std::string_view collection) {
  if (collection == users) return CollectionPtr();
  return security_collection(database, collection == profiles ? users : profiles);
}

Result<void> release_references(const KuzzleCall& call, Transaction& transaction,
                                const CollectionPtr& referring, const std::set<std::string>& ids) {
  const bool is_of_users = referring->name == users;
  const bool takes = is_of_users && TRY(takes_from_users(call));
  View& view = transaction.view();
  const std::size_t at_most = takes ? SIZE_MAX : 1;
  const auto holders = TRY(is_of_users ? find_holders<User>(view, ids, at_most)
                                       : find_holders<Profile>(view, ids, at_most));
  if (!takes && !holders.empty()) return still_in_use(call, is_of_users, holders.front().used);
  return take_profiles(call, transaction, referring, holders, ids);
}

}  // namespace mayfly::kuzzle
