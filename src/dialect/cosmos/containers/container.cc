#include "dialect/cosmos/containers/container.h"

#include <algorithm>

#include <mutex>

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/ttl/ttl.h"

namespace mayfly::cosmos {
namespace {

Result<Definition> definition_of(const Collection& collection) {
  const auto kept = collection.facets.find(definition_facet);
  Definition definition =
      kept == collection.facets.end() ? plain_definition() : TRY(read_definition(kept->second));
  definition.id = collection.name;
  const auto counts = collection.facets.find(std::string(ranges_facet));
  if (counts != collection.facets.end()) {
    definition.ranges = KeyRanges(TRY(parse_counts(counts->second)), hash_of(definition.key));
  }
  // The policy is authoritative: other dialects may have changed it.
  definition.default_lifetime = collection.policy.current_default();
  return definition;
}

Value without_version(Value key) {
  key.mutable_object().remove("version");
  return key;
}

// Whether the resource of this rid is the granted one, contains it or is in it.
bool agrees_with(BytesView granted, BytesView rid) {
  const std::size_t shared = std::min(granted.size(), rid.size());
  return granted.substr(0, shared) == rid.substr(0, shared);
}

// Finds a database by name or rid; null pointer if there is none.
DatabaseInfoPtr named_database(const Catalog& catalog, const std::string& name) {
  if (auto database = catalog.find_database(name)) return database;
  const auto rid = parse_rid(name);
  if (!rid || rid->size() != sizeof(DatabaseId)) return nullptr;
  return catalog.database(*database_of(*rid));
}

}  // namespace

std::string Container::link() const {
  return "dbs/" + database->name + "/colls/" + collection->name;
}

std::string Container::self_link() const {
  return "dbs/" + render_rid(database_rid(database->id)) + "/colls/" + render_rid(rid) + '/';
}

Result<DatabaseInfoPtr> Containers::find_database(const Catalog& catalog, const Address& address) {
  auto database = named_database(catalog, address.name_of(ResourceKind::database));
  const bool is_it = database && agrees_with(address.granted, database_rid(database->id));
  if (!is_it) return tl::unexpected(no_such_resource());
  return database;
}

Result<ContainerPtr> Containers::find(const Catalog& catalog, const Address& address) {
  const DatabaseInfoPtr database = TRY(find_database(catalog, address));
  const std::string& name = address.name_of(ResourceKind::container);
  CollectionPtr collection = catalog.find_collection(database->id, name);
  if (!collection) {
    const auto rid = parse_rid(name);
    const auto id = rid ? container_of(*rid) : std::nullopt;
    if (id) collection = catalog.collection(*id);
  }
  if (!collection || collection->database != database->id) {
    return tl::unexpected(no_such_resource());
  }
  if (!agrees_with(address.granted, container_rid(*collection))) {
    return tl::unexpected(no_such_resource());
  }
  return of(database, collection);
}

Result<ContainerPtr> Containers::of(const DatabaseInfoPtr& database,
                                    const CollectionPtr& collection) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = known_.find(collection->id);
    if (found != known_.end() && found->second->collection == collection) return found->second;
  }
  auto definition = TRY(definition_of(*collection));
  auto made = std::make_shared<const Container>(
      Container{database, collection, std::move(definition), container_rid(*collection)});
  const std::unique_lock lock(mutex_);
  if (known_.size() >= clean_size_) erase_removed();
  return known_[collection->id] = std::move(made);
}

void Containers::erase_removed() {
  // Removes containers that nothing else holds, so no catalog has them.
  std::erase_if(known_,
                [](const auto& known) { return known.second->collection.use_count() == 1; });
  clean_size_ = std::max(clean_size_min, 2 * known_.size());
}

Result<void> adopt_containers(Database& database) {
  const CatalogPtr catalog = database.catalog();
  for (const auto& [id, collection] : catalog->all_collections()) {
    if (!collection->facets.contains(definition_facet)) continue;
    const BodyRules rules = body_rules_of(TRY(definition_of(*collection)));
    if (collection->body != rules) TRY(database.change_collection(id, {.body = rules}));
  }
  return {};
}

void render_container_members(const Container& container, Client client, JsonWriter& json) {
  const Definition& definition = container.definition;
  json.member("id", container.collection->name);
  for (const auto& [name, value] : definition.shown) {
    const bool is_old_key = client != Client::of_today && name == "partitionKey";
    if (is_old_key && definition.key.is_system) continue;
    if (name == "indexingPolicy") {
      json.member(name, policy_for(value, client));
    } else {
      json.member(name, is_old_key ? without_version(value) : value);
    }
  }
  const Value seconds = reported_default_ttl(definition.default_lifetime);
  if (!seconds.is_missing()) json.member("defaultTtl", seconds);
  render_system_properties({.rid = container.rid,
                            .self = container.self_link(),
                            .changed_at = container.collection->changed_at},
                           json);
  json.member("_docs", "docs/");
  json.member("_sprocs", "sprocs/");
  json.member("_triggers", "triggers/");
  json.member("_udfs", "udfs/");
  json.member("_conflicts", "conflicts/");
}

}  // namespace mayfly::cosmos
