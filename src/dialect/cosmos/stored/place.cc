#include "dialect/cosmos/stored/place.h"

#include <algorithm>

#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/stored/stored.h"

namespace mayfly::cosmos {
namespace {

// Whether the part is a rid. A path has either names or rids throughout: if its container is named,
// an id that looks like a rid is an id. Scripts are found by either.
bool names_by_rid(const Place& place, const Address& address, const Address::Part& part) {
  if (!place.container) return false;
  const Collection& collection = *place.container->collection;
  const bool is_named = address.name_of(ResourceKind::container) == collection.name;
  if (is_named && !is_script(part.kind)) return false;
  const auto rid = parse_rid(part.name);
  return rid && number_of(*rid) && container_of(*rid) == collection.id;
}

Result<void> resolve_document(const Place& place, Step& step, const Call& call, View& view) {
  const auto rid = parse_rid(step.name);
  const auto number = rid ? number_of(*rid) : std::nullopt;
  if (!number) return {};
  const auto document = TRY(find_by_number(call, *place.container, *number, view));
  if (!document) return {};
  const DocumentKey key = document->document_key();
  step = {.kind = step.kind, .name = key.id, .routing = key.routing};
  return {};
}

// Finds a script by name or rid.
Result<std::optional<StoredResource>> find_script(const Place& place, const Step& step,
                                                  const Call& call, View& view) {
  Address address;
  address.kind = step.kind;
  address.parts = {{step.kind, step.name}};
  const Call of_script{call.request,     call.services,      call.keys, call.containers,
                       call.rid_numbers, std::move(address), {}};
  auto stored = find_stored(of_script, {place.database, place.container->rid, {}}, view);
  if (stored) return *std::move(stored);
  if (stored.error().code == Code::not_found) return std::nullopt;
  return tl::unexpected(std::move(stored).error());
}

Result<void> resolve_script(const Place& place, Step& step, const Call& call, View& view) {
  const auto stored = TRY(find_script(place, step, call, view));
  if (stored) step = {.kind = step.kind, .name = stored->key.id};
  return {};
}

// The place with the rids of existing resources replaced by names.
Result<Place> resolved(Place place, const Call& call, View& view) {
  for (Step& step : place.below) {
    if (!step.is_rid) continue;
    if (step.kind == ResourceKind::document) TRY(resolve_document(place, step, call, view));
    if (is_script(step.kind)) TRY(resolve_script(place, step, call, view));
  }
  return place;
}

// Adds the routing of a document that is requested by name, from the header, as the action does.
Result<void> take_header(const Call& call, Place& place) {
  if (place.below.empty() || !place.container) return {};
  Step& first = place.below.front();
  if (first.kind != ResourceKind::document || first.is_rid || first.routing) return {};
  const std::string_view header = call.header(partition_key_header);
  PartitionValues values;
  if (!header.empty()) values = TRY(parse_partition_values(header));
  const PartitionKey& key = place.container->definition.key;
  if (is_whole(key, values)) first.routing = routing_of(key, values);
  return {};
}

bool has_rid(const Place& place) {
  return std::any_of(place.below.begin(), place.below.end(),
                     [](const Step& step) { return step.is_rid; });
}

bool leads_to(const Step& granted, const Step& asked) {
  return granted.kind == asked.kind && granted.name == asked.name &&
         granted.is_rid == asked.is_rid && (!granted.routing || granted.routing == asked.routing);
}

}  // namespace

Bytes Place::rid() const {
  return container ? container->rid : database_rid(database->id);
}

std::optional<Place> place_of(const Call& call, const Catalog& catalog, const Address& address) {
  Place place;
  auto database = Containers::find_database(catalog, address);
  if (!database) return std::nullopt;
  place.database = *std::move(database);
  if (!address.name_of(ResourceKind::container).empty()) {
    auto container = call.containers.find(catalog, address);
    if (!container) return std::nullopt;
    place.container = *std::move(container);
  }
  for (const Address::Part& part : address.parts) {
    place.kinds.push_back(part.kind);
    const bool is_found =
        part.kind == ResourceKind::database || part.kind == ResourceKind::container;
    if (is_found) continue;
    place.below.push_back({part.kind, part.name, names_by_rid(place, address, part)});
  }
  if (address.is_feed) place.kinds.push_back(address.kind);
  return place;
}

bool covers(const Place& granted, const Place& asked) {
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

Result<bool> covers(const Place& granted, const Place& asked, const Call& call) {
  if (covers(granted, asked)) return true;
  if (!has_rid(granted) && !has_rid(asked)) return false;
  View view = call.database().view();
  Place found = TRY(resolved(asked, call, view));
  TRY(take_header(call, found));
  return covers(TRY(resolved(granted, call, view)), found);
}

Result<std::optional<Instant>> creation_of(Place place, const Call& call) {
  if (!place.container || place.below.empty()) return std::nullopt;
  View view = call.database().view();
  place = TRY(resolved(std::move(place), call, view));
  TRY(take_header(call, place));
  const Step& first = place.below.front();
  if (is_script(first.kind)) {
    const auto script = TRY(find_script(place, first, call, view));
    return script ? std::optional(script->created_at) : std::nullopt;
  }
  if (first.kind != ResourceKind::document || !first.routing) return std::nullopt;
  const DocumentKey key{*first.routing, first.name};
  const auto document = TRY(view.get(*place.container->collection, key, view.live()));
  return document ? std::optional(document->created_at) : std::nullopt;
}

std::string identity_of(const Call& call, const Catalog& catalog, const std::string& link) {
  const auto address = parse_link(link);
  if (!address) return link;
  const auto place = place_of(call, catalog, *address);
  std::string text = place ? render_rid(place->rid()) : '/' + address->link();
  for (const Step& step : place ? place->below : std::vector<Step>()) {
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
