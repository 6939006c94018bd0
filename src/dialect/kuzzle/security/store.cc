#include "dialect/kuzzle/security/store.h"

#include <algorithm>

#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/security/rows.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

struct InitialMapping {
  std::string_view collection;
  std::string_view json;
};
constexpr InitialMapping initial_mappings[] = {
    {users, R"({"properties":{"profileIds":{"type":"keyword"}}})"},
    {profiles, R"({"properties":{"tags":{"type":"keyword"},)"
               R"("policies":{"properties":{"roleId":{"type":"keyword"}}}}})"},
    {roles, R"({"properties":{"tags":{"type":"keyword"},)"
            R"("controllers":{"type":"object","dynamic":"false","properties":{}}}})"},
    {api_keys, R"({"properties":{"userId":{"type":"keyword"},"description":{"type":"text"},)"
               R"("expiresAt":{"type":"long"},"ttl":{"type":"long"},)"
               R"("fingerprint":{"type":"keyword"}}})"},
};

bool has_admin_profile(const User& user) {
  const auto& ids = user.profile_ids;
  return std::find(ids.begin(), ids.end(), "admin") != ids.end();
}

template <class Row>
Result<std::optional<Document>> document_of(View& view, const std::string& id) {
  auto row = TRY(find_security_table<Row>(view.catalog()).get(view, DocumentKey::of(id)));
  return row ? std::optional(std::move(row->document)) : std::nullopt;
}

template <class Row>
Result<Value> read_or_initial(View& view, const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  const auto table = find_security_table<Row>(view.catalog());
  if (const auto found = TRY(table.get(view, key))) return found->encode();
  if (!is_built_in(id)) return Value();
  const bool is_damaged = table && TRY(view.get(*table.collection(), key, view.live()));
  return is_damaged ? Value() : Row::initial(id).encode();
}

}  // namespace

bool is_built_in(std::string_view id) {
  return std::find(built_in.begin(), built_in.end(), id) != built_in.end();
}

Value security_mapping(const Collection& collection) {
  Value mapping{Object()};
  for (const InitialMapping& row : initial_mappings) {
    if (row.collection == collection.name) mapping = *parse_json(row.json);
  }
  return merge_deeply(std::move(mapping), mapping_of(collection));
}

DatabaseInfoPtr security_database(const Catalog& catalog) {
  return catalog.find_internal_database(security_index);
}

bool has_security(Database& database) {
  return security_database(*database.catalog()) != nullptr;
}

Result<std::optional<Document>> find_security(View& view, std::string_view collection,
                                              const std::string& id) {
  if (collection == users) return document_of<User>(view, id);
  return collection == profiles ? document_of<Profile>(view, id) : document_of<Role>(view, id);
}

Result<CollectionPtr> security_collection(Database& database, std::string_view name) {
  if (name == profiles) return TRY(ensure_security_table<Profile>(database)).collection();
  if (name == roles) return TRY(ensure_security_table<Role>(database)).collection();
  return ensure_private(database, {.name = name, .database = security_index});
}

Result<bool> has_admin(Database& database) {
  View view = database.view();
  return has_admin(view);
}

Result<bool> has_admin(View& view) {
  return !TRY(find_admin(view)).empty();
}

Result<bool> is_admin(View& view, const std::string& id) {
  const auto user = TRY(find_security_table<User>(view.catalog()).get(view, DocumentKey::of(id)));
  return user && has_admin_profile(*user);
}

Result<std::string> find_admin(View& view) {
  std::string admin;
  TRY(find_security_table<User>(view.catalog()).each(view, [&](const User& user) -> Result<bool> {
    if (has_admin_profile(user)) admin = user.document.id;
    return admin.empty();
  }));
  return admin;
}

Result<Value> read_profile(View& view, const std::string& id) {
  return read_or_initial<Profile>(view, id);
}

Result<Value> read_role(View& view, const std::string& id) {
  return read_or_initial<Role>(view, id);
}

}  // namespace mayfly::kuzzle
