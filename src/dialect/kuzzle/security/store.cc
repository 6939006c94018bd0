#include "dialect/kuzzle/security/store.h"

#include <algorithm>
#include <array>

#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/places.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::array<std::string_view, 3> built_in{"admin", "default", "anonymous"};

struct InitialMapping {
  std::string_view collection;
  std::string_view json;
};
constexpr InitialMapping initial_mappings[] = {
    {users, R"({"properties":{"profileIds":{"type":"keyword"}}})"},
    {profiles, R"({"properties":{"policies":{"properties":{"roleId":{"type":"keyword"}}}}})"},
    {roles, R"({"properties":{"controllers":{"dynamic":"false","properties":{}}}})"},
    {api_keys, R"({"properties":{"userId":{"type":"keyword"},"description":{"type":"text"},)"
               R"("expiresAt":{"type":"long"},"ttl":{"type":"long"},)"
               R"("fingerprint":{"type":"keyword"}}})"},
};

Value begun_profile(const std::string& id) {
  return Object{{"policies", Array{Object{{"roleId", id}}}}};
}
Value begun_role() {
  const Object every_action{{"actions", Object{{"*", true}}}};
  return Object{{"controllers", Object{{"*", every_action}}}};
}

bool has_admin_profile(const Value& profile_ids) {
  if (!profile_ids.is(Kind::array)) return false;
  const Array& ids = profile_ids.array();
  return std::any_of(ids.begin(), ids.end(),
                     [](const Value& id) { return id.is(Kind::text) && id.text() == "admin"; });
}

Result<void> put_built_in(Database& database, const CollectionPtr& collection) {
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    for (const std::string_view name : built_in) {
      const std::string id(name);
      const Value begun = collection->name == roles ? begun_role() : begun_profile(id);
      const Bytes packed = TRY(pack(begun));
      const auto put = transaction.put(collection, DocumentKey::of(id), packed,
                                       {.expect = PutOptions::Expect::absent});
      if (!put && put.error().code != Code::exists) return tl::unexpected(put.error());
    }
    return {};
  }));
  return {};
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

CollectionPtr find_security_collection(const Catalog& catalog, std::string_view name) {
  const auto index = catalog.find_internal_database(security_index);
  return index ? catalog.find_internal(index->id, name) : nullptr;
}

bool has_security(Database& database) {
  return database.catalog()->find_internal_database(security_index) != nullptr;
}

Result<std::optional<Document>> find_security(Database& database, std::string_view collection,
                                              const std::string& id) {
  const CollectionPtr found = find_security_collection(*database.catalog(), collection);
  if (!found || id.empty()) return std::nullopt;
  const DocumentKey key = DocumentKey::of(id);
  if (!check(key)) return std::nullopt;  // nothing can be kept there
  return database.get(found, key);
}

Result<std::optional<Document>> find_security(View& view, std::string_view collection,
                                              const std::string& id) {
  const CollectionPtr found = find_security_collection(view.catalog(), collection);
  const DocumentKey key = DocumentKey::of(id);
  if (!found || id.empty() || !check(key)) return std::nullopt;
  return view.get(*found, key, view.live());
}

Result<Value> read_security(Database& database, std::string_view collection,
                            const std::string& id) {
  const auto found = TRY(find_security(database, collection, id));
  return found ? found->body.unpack() : Value();
}

Result<Value> read_security(View& view, std::string_view collection, const std::string& id) {
  const auto found = TRY(find_security(view, collection, id));
  return found ? found->body.unpack() : Value();
}

tl::unexpected<Error> users_are_reset() {
  return fail(Code::contended, "users and rights are being reset");
}

Result<CollectionPtr> security_collection(Database& database, std::string_view name) {
  if (CollectionPtr found = find_security_collection(*database.catalog(), name)) return found;
  const auto made = database.create_internal_database(std::string(security_index));
  if (!made && made.error().code != Code::exists) return tl::unexpected(made.error());
  const auto index = database.catalog()->find_internal_database(security_index);
  if (!index) return users_are_reset();
  auto collection = database.ensure_collection(
      index->id, {.name = std::string(name), .promises = {}, .indexes = {}, .is_internal = true});
  if (!collection && collection.error().code == Code::not_found) return users_are_reset();
  if (!collection) return collection;
  if (name == profiles || name == roles) TRY(put_built_in(database, *collection));
  return collection;
}

Result<bool> has_admin(Database& database) {
  View view = database.view();
  return has_admin(view);
}

Result<bool> has_admin(View& view) {
  return !TRY(find_admin(view)).empty();
}

Result<bool> is_admin(View& view, const std::string& id) {
  return has_admin_profile(TRY(read_security(view, users, id)).member("profileIds"));
}

Result<std::string> find_admin(View& view) {
  std::string admin;
  const CollectionPtr found = find_security_collection(view.catalog(), users);
  if (!found) return admin;
  TRY(view.each(*found, [&](const Document& user) -> Result<bool> {
    if (has_admin_profile(user.body.member("profileIds"))) admin = user.id;
    return admin.empty();
  }));
  return admin;
}

Result<Value> read_profile(View& view, const std::string& id) {
  Value found = TRY(read_security(view, profiles, id));
  if (!found.is_missing() || !is_built_in(id)) return found;
  return begun_profile(id);
}

Result<Value> read_role(View& view, const std::string& id) {
  Value found = TRY(read_security(view, roles, id));
  if (!found.is_missing() || !is_built_in(id)) return found;
  return begun_role();
}

}  // namespace mayfly::kuzzle
