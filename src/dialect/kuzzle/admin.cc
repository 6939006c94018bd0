// What administrators do to the server as a whole. Who may is asked as for any other action.
#include <fmt/format.h>

#include <functional>

#include "dialect/common/holds.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/bulk.h"
#include "dialect/kuzzle/collections.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/places.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/specifications/specification.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr const char* acknowledge = R"({"acknowledge":true})";  // as Kuzzle spells it

// --- emptying ---

// How many of a collection are not there from the beginning.
Result<std::int64_t> count_made(const Call& call, const Collection& collection) {
  const bool has_built_in = collection.name == profiles || collection.name == roles;
  View view = call.database().view();
  std::int64_t made = 0;
  DocumentRange range;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan(collection, range, view.live()));
    for (const Document& document : page.documents) {
      if (!has_built_in || !is_built_in(document.id)) ++made;
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return made;
}

// What other dialects have made stays: their databases, and their collections within an index.
struct OwnPlaces {
  std::vector<CollectionPtr> collections;
  std::vector<DatabaseInfoPtr> indexes;
};

// Fails with forbidden where one of them has a document under hold.
Result<OwnPlaces> droppable_places(const Call& call) {
  OwnPlaces own;
  View view = call.database().view();
  for (const auto& index : view.catalog().databases()) {
    if (!is_told_of(*index)) continue;
    bool has_others = false;
    for (const auto& collection : view.catalog().collections(index->id)) {
      const bool is_own = collection->facets.contains(mapping_facet);
      has_others = has_others || !is_own;
      if (!is_own) continue;
      TRY(check_droppable(view, *collection));
      own.collections.push_back(collection);
    }
    if (has_others || !index->facets.contains(index_facet)) continue;
    TRY(check_droppable(view, *index));
    own.indexes.push_back(index);
  }
  return own;
}

DatabaseInfoPtr security_database(const Call& call) {
  return call.database().catalog()->find_internal_database(security_index);
}

// --- loading ---

// Goes through {index: {collection: what}}, as who may write there.
using LoadOne = std::function<Result<void>(const Message& there, const Value& what)>;
Result<void> load_each(const Call& call, const LoadOne& load) {
  for (const auto& [index, collections] : *TRY(call.body())) {
    if (!collections.is(Kind::object)) return wrong_type(index, "object");
    for (const auto& [collection, what] : collections.object()) {
      Message there = call.message;
      there.index = index;
      there.collection = collection;
      TRY(authorize(call, there));
      TRY(load(there, what));
    }
  }
  return {};
}

Call call_about(const Call& call, const Message& there) {
  return {.message = there,
          .shared = call.shared,
          .principal = call.principal,
          .answer_by = call.answer_by};
}

Result<DatabaseInfoPtr> index_or_new(const Call& there) {
  const std::string name = TRY(there.index());
  if (auto standing = there.database().catalog()->find_database(name)) return standing;
  TRY(check_index_name(name));
  const auto made = there.database().create_database(name, index_facets());
  if (!made && made.error().code != Code::exists) return made;
  return there.database().catalog()->find_database(name);
}

// As if who loads had asked for that action himself.
Message security_message(const Call& call, std::string_view action, const std::string& id) {
  Message message = call.message;
  message.controller = "security";
  message.action = action;
  message.id = id;
  return message;
}

// Of {id: object} each, by the action that writes one.
Result<void> load_objects(const Call& call, std::string_view sort, std::string_view action,
                          Action act) {
  const Value objects = call.message.body.member(sort);
  if (objects.is_missing() || objects.is_null()) return {};
  if (!objects.is(Kind::object)) return wrong_type(sort, "object");
  for (const auto& [id, body] : objects.object()) {
    if (!body.is(Kind::object)) return wrong_type(id, "object");
    Message message = security_message(call, action, id);
    message.body = body;
    Call one = call_about(call, message);
    TRY(act(one));
  }
  return {};
}

enum class OnExisting { fail, skip, overwrite };

// Version 1 knows but one way.
Result<OnExisting> asked_on_existing(const Call& call) {
  const auto asked = TRY(call.text("onExistingUsers"));
  if (!asked) return call.is_v2() ? OnExisting::fail : OnExisting::overwrite;
  if (*asked == "fail") return OnExisting::fail;
  if (*asked == "skip") return OnExisting::skip;
  if (*asked == "overwrite") return OnExisting::overwrite;
  return problem("api.assert.unexpected_argument",
                 "Unexpected argument \"onExistingUsers\" (accepted arguments: skip, overwrite, "
                 "fail)");
}

// The body whose users are those that are to be made.
Result<Value> without_standing_users(const Call& call) {
  const OnExisting how = TRY(asked_on_existing(call));
  Value body = *TRY(call.body());
  const Value wanted = body.member("users");
  if (!wanted.is(Kind::object)) return body;
  Object to_make;
  for (const auto& [id, user] : wanted.object()) {
    const bool stands = TRY(find_security(call.database(), users, id)).has_value();
    if (stands && how == OnExisting::fail) {
      return problem("security.user.prevent_overwrite", "Cannot overwrite existing users.");
    }
    if (stands && how == OnExisting::skip) continue;
    if (stands) {
      Message message = security_message(call, "deleteUser", id);
      Call one = call_about(call, message);
      TRY(delete_security(one));
    }
    to_make.append(id, user);
  }
  body.mutable_object().set("users", std::move(to_make));
  return body;
}

}  // namespace

// What is cached here is the scrolls that are open; the memory storage is not offered, hence empty.
Result<std::string> reset_cache(Call& call) {
  const auto database = TRY(call.text("database"));
  if (!database) return missing_argument("database");
  if (*database != "internalCache" && *database != "memoryStorage") {
    return problem("services.cache.database_not_found",
                   call.is_v2() ? fmt::format("Cache database \"{}\" not found.", *database)
                                : fmt::format("Database {} not found", *database));
  }
  if (*database == "internalCache") call.shared.scrolls.drop_all();
  return acknowledge;
}

// Everything is looked at before the first is dropped: where one may not go, nothing goes.
Result<std::string> reset_database(Call& call) {
  const OwnPlaces own = TRY(droppable_places(call));
  const auto check = [](Result<void> dropped) -> Result<void> {
    if (dropped || dropped.error().code == Code::not_found) return {};
    return dropped;
  };
  for (const auto& collection : own.collections) {
    TRY(check(call.database().drop_collection(collection->id)));
  }
  for (const auto& index : own.indexes) TRY(check(call.database().drop_database(index->id)));
  call.shared.realtime.nudge();
  return acknowledge;
}

// Users, profiles, roles and all that belongs to them, tokens too; what was built in is as it was
// at first.
Result<std::string> reset_security(Call& call) {
  Object told{{"deletedUsers", 0}, {"deletedProfiles", 0}, {"deletedRoles", 0}};
  const auto index = security_database(call);
  const CatalogPtr catalog = call.database().catalog();
  const auto collections = index ? catalog->collections(index->id) : std::vector<CollectionPtr>();
  for (const auto& collection : collections) {
    if (collection->name == auto_refreshes) continue;  // of indexes
    const std::int64_t made = TRY(count_made(call, *collection));
    if (collection->name == users) told.set("deletedUsers", made);
    if (collection->name == profiles) told.set("deletedProfiles", made);
    if (collection->name == roles) told.set("deletedRoles", made);
    TRY(call.database().drop_collection(collection->id));
  }
  return render_json(told);
}

// All that is kept beside documents: users and rights, tokens, specifications, scrolls.
Result<std::string> reset_kuzzle_data(Call& call) {
  if (const auto index = security_database(call)) TRY(call.database().drop_database(index->id));
  const CatalogPtr catalog = call.database().catalog();
  for (const auto& index : catalog->databases()) {
    for (const auto& collection : catalog->collections(index->id)) {
      if (!collection->facets.contains(specifications::facet)) continue;
      CollectionChange change;
      change.facets[std::string(specifications::facet)] = std::nullopt;
      TRY(call.database().change_collection(collection->id, change));
    }
  }
  call.shared.scrolls.drop_all();
  return acknowledge;
}

Result<std::string> load_mappings(Call& call) {
  TRY(load_each(call, [&](const Message& message, const Value& mapping) -> Result<void> {
    const Call there = call_about(call, message);
    const auto index = TRY(index_or_new(there));
    return make_collection(there, *index, TRY(there.collection()), mapping);
  }));
  return acknowledge;
}

// One collection after the other; the first that fails ends it.
Result<std::string> load_fixtures(Call& call) {
  TRY(load_each(call, [&](const Message& message, const Value& lines) -> Result<void> {
    if (!lines.is(Kind::array)) return wrong_type(message.collection, "array");
    const Call there = call_about(call, message);
    TRY(place_to_write(there, *call.database().catalog()));
    const Imported imported = TRY(import_lines(there, lines.array()));
    if (imported.errors.empty()) return {};
    call.error_details = imported.errors;
    return fail(Code::invalid, fmt::format("{} ({}/{}): {}", import_failed, message.index,
                                           message.collection, render_json(imported.errors)));
  }));
  return acknowledge;
}

// First what is meant by rights, then who has them.
Result<std::string> load_securities(Call& call) {
  Message message = call.message;
  message.body = TRY(without_standing_users(call));
  const Call checked = call_about(call, message);
  TRY(load_objects(checked, "roles", "createOrReplaceRole", create_or_replace_security));
  TRY(load_objects(checked, "profiles", "createOrReplaceProfile", create_or_replace_security));
  TRY(load_objects(checked, "users", "createUser", create_user));
  return acknowledge;
}

// Kuzzle writes the memory of its process into a directory.
Result<std::string> dump(Call&) {
  return fail(Code::unsupported,
              "dumps of the server's memory are not offered; what it keeps is copied by a backup");
}

Result<std::string> shut_down(Call& call) {
  const auto& end = call.shared.services.end;
  if (!end) return fail(Code::unsupported, "this server cannot be shut down through the API");
  end();
  return acknowledge;
}

// The catalog is exact at once for everybody.
Result<std::string> refresh_index_cache(Call&) {
  return "null";
}

}  // namespace mayfly::kuzzle
