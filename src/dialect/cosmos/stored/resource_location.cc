#include "dialect/cosmos/stored/resource_location.h"

#include <algorithm>

#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/stored/stored.h"

namespace mayfly::cosmos {
namespace {

// Whether the part is a rid. A path has either names or rids throughout: if its container is named,
// an id that looks like a rid is an id. Scripts are found by either.
bool names_by_rid(const ResourceLocation& location, const Address& address,
                  const Address::Part& part) {
  if (!location.container) return false;
  const Collection& collection = *location.container->collection;
  const bool is_named = address.name_of(ResourceKind::container) == collection.name;
  if (is_named && !is_script(part.kind)) return false;
  const auto rid = parse_rid(part.name);
  return rid && number_of(*rid) && container_of(*rid) == collection.id;
}

Result<void> resolve_document(const ResourceLocation& location, LocationStep& step,
                              const CosmosCall& call, View& view) {
  const auto rid = parse_rid(step.name);
  const auto number = rid ? number_of(*rid) : std::nullopt;
  if (!number) return {};
  const auto document = TRY(find_by_number(call, *location.container, *number, view));
  if (!document) return {};
  const DocumentKey key = document->document_key();
  step = {.kind = step.kind, .name = key.id, .routing = key.routing};
  return {};
}

// Finds a script by name or rid.
Result<std::optional<StoredResource>> find_script(const ResourceLocation& location,
                                                  const LocationStep& step, const CosmosCall& call,
                                                  View& view) {
  Address address;
  address.kind = step.kind;
  address.parts = {{step.kind, step.name}};
  const CosmosCall of_script{call.request,     call.services,      call.keys, call.containers,
                             call.rid_numbers, std::move(address), {}};
  auto stored = find_stored(of_script, {location.database, location.container->rid, {}}, view);
  if (stored) return *std::move(stored);
  if (stored.error().code == Code::not_found) return std::nullopt;
  return tl::unexpected(std::move(stored).error());
}

Result<void> resolve_script(const ResourceLocation& location, LocationStep& step,
                            const CosmosCall& call, View& view) {
  const auto stored = TRY(find_script(location, step, call, view));
  if (stored) step = {.kind = step.kind, .name = stored->key.id};
  return {};
}

// The place with the rids of existing resources replaced by names.
Result<ResourceLocation> resolved(ResourceLocation location, const CosmosCall& call, View& view) {
  for (LocationStep& step : location.below) {
    if (!step.is_rid) continue;
    if (step.kind == ResourceKind::document) TRY(resolve_document(location, step, call, view));
    if (is_script(step.kind)) TRY(resolve_script(location, step, call, view));
  }
  return location;
}

// Adds the routing of a document that is requested by name, from the header, as the action does.
Result<void> take_header(const CosmosCall& call, ResourceLocation& location) {
  if (location.below.empty() || !location.container) return {};
  LocationStep& first = location.below.front();
  if (first.kind != ResourceKind::document || first.is_rid || first.routing) return {};
  const std::string_view header = call.header(partition_key_header);
  PartitionValues values;
  if (!header.empty()) values = TRY(parse_partition_values(header));
  const PartitionKey& key = location.container->definition.key;
  if (is_whole(key, values)) first.routing = routing_of(key, values);
  return {};
}

bool has_rid(const ResourceLocation& location) {
  return std::any_of(location.below.begin(), location.below.end(),
                     [](const LocationStep& step) { return step.is_rid; });
}

bool leads_to(const LocationStep& granted, const LocationStep& asked) {
  return granted.kind == asked.kind && granted.name == asked.name &&
         granted.is_rid == asked.is_rid && (!granted.routing || granted.routing == asked.routing);
}

}  // namespace

Bytes ResourceLocation::rid() const {
  return container ? container->rid : database_rid(database->id);
}

std::optional<ResourceLocation> location_of(const CosmosCall& call, const Catalog& catalog,
                                            const Address& address) {
  ResourceLocation location;
  auto database = Containers::find_database(catalog, address);
  if (!database) return std::nullopt;
  location.database = *std::move(database);
  if (!address.name_of(ResourceKind::container).empty()) {
    auto container = call.containers.find(catalog, address);
    if (!container) return std::nullopt;
    location.container = *std::move(container);
  }
  for (const Address::Part& part : address.parts) {
    location.kinds.push_back(part.kind);
    const bool is_found =
        part.kind == ResourceKind::database || part.kind == ResourceKind::container;
    if (is_found) continue;
    location.below.push_back({part.kind, part.name, names_by_rid(location, address, part)});
  }
  if (address.is_feed) location.kinds.push_back(address.kind);
  return location;
}

bool covers(const ResourceLocation& granted, const ResourceLocation& asked) {
  if (granted.database->id != asked.database->id) return false;
  if (granted.container != nullptr) {
    const bool lies_there = asked.container != nullptr &&
                            granted.container->collection->id == asked.container->collection->id;
    if (!lies_there) return false;
  }
  const bool goes_the_same_way =
      granted.kinds.size() <= asked.kinds.size() &&
      std::equal(granted.kinds.begin(), granted.kinds.end(), asked.kinds.begin());
  if (!goes_the_same_way) return false;
  return granted.below.size() <= asked.below.size() &&
         std::equal(granted.below.begin(), granted.below.end(), asked.below.begin(), leads_to);
}

Result<bool> covers(const ResourceLocation& granted, const ResourceLocation& asked,
                    const CosmosCall& call) {
  if (covers(granted, asked)) return true;
  if (!has_rid(granted) && !has_rid(asked)) return false;
  View view = call.database().view();
  ResourceLocation found = TRY(resolved(asked, call, view));
  TRY(take_header(call, found));
  return covers(TRY(resolved(granted, call, view)), found);
}

Result<std::optional<Instant>> creation_of(ResourceLocation location, const CosmosCall& call) {
  if (!location.container || location.below.empty()) return std::nullopt;
  View view = call.database().view();
  location = TRY(resolved(std::move(location), call, view));
  TRY(take_header(call, location));
  const LocationStep& first = location.below.front();
  if (is_script(first.kind)) {
    const auto script = TRY(find_script(location, first, call, view));
    return script ? std::optional(script->created_at) : std::nullopt;
  }
  if (first.kind != ResourceKind::document || !first.routing) return std::nullopt;
  const DocumentKey key{*first.routing, first.name};
  const auto document = TRY(view.get(*location.container->collection, key, view.live()));
  return document ? std::optional(document->created_at) : std::nullopt;
}

std::string identity_of(const CosmosCall& call, const Catalog& catalog, const std::string& link) {
  const auto address = parse_link(link);
  if (!address) return link;
  const auto location = location_of(call, catalog, *address);
  std::string text = location ? render_rid(location->rid()) : '/' + address->link();
  for (const LocationStep& step : location ? location->below : std::vector<LocationStep>()) {
    text += '/';
    text += row_of(step.kind).segment;
    text += '/';
    text += step.name;
  }
  if (!address->is_feed) return text;
  text += '/';
  text += row_of(address->kind).segment;
  return text;
}

}  // namespace mayfly::cosmos
