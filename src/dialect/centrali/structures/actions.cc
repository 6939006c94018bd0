#include "dialect/centrali/structures/actions.h"

#include "delivery/deliveries.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/queries/paging.h"
#include "dialect/centrali/structures/promises.h"
#include "dialect/common/collections/new_indexes.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/requests/json_body.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

bool is_slug(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= limits::name_bytes_max &&
         std::all_of(text.begin(), text.end(), fits);
}

// Members of the facet that a client sets directly.
struct Member {
  std::string_view name;
  std::string_view claim;
  bool (*fits)(const Value&);
};
bool is_text(const Value& v) {
  return v.is(Kind::text);
}
bool is_name(const Value& v) {
  return v.is(Kind::text) && !v.text().empty() && v.text().size() <= limits::name_bytes_max;
}
constexpr Member members[] = {
    {"name", "must be a text that is not empty", is_name},
    {"description", "must be a text", is_text},
    {"properties", "must be an array", [](const Value& v) { return v.is(Kind::array); }},
    {"status", "must be active or inactive",
     [](const Value& v) {
       return v.is(Kind::text) && (v.text() == "active" || v.text() == "inactive");
     }},
    {"schemaDiscoveryMode", "must be strict, schemaless or auto-evolving",
     [](const Value& v) { return v.is(Kind::text) && parse_mode(v.text()).has_value(); }},
    {"enableVersioning", "must be true or false",
     [](const Value& v) { return v.is(Kind::boolean); }},
    {"retentionPolicy", "must be an object", [](const Value& v) { return v.is(Kind::object); }},
    {"defaultSearchField", "must be a text", is_text},
};

// Merges the members of the body into the facet; null removes a member.
Result<void> merge(const Object& body, Object& facet, std::vector<Detail>& details) {
  for (const Member& member : members) {
    const Value* value = body.find(member.name);
    if (value == nullptr) continue;
    if (value->is_null() && member.name != "name") {
      facet.remove(member.name);
    } else if (member.fits(*value)) {
      facet.set(member.name, *value);
    } else {
      details.push_back({std::string(member.name), std::string(member.claim)});
    }
  }
  const Value* strict = body.find("isStrict");
  if (strict != nullptr && strict->is(Kind::boolean) &&
      body.find("schemaDiscoveryMode") == nullptr) {
    facet.set("schemaDiscoveryMode", strict->boolean() ? "strict" : "schemaless");
  }
  if (!details.empty()) {
    return fail(Code::invalid, details.front().field + " " + details.front().message);
  }
  return {};
}

// Reads defaultTtlSeconds as a change of the collection's policy.
Result<void> read_default(const Object& body, const Policy& policy, CollectionChange& change) {
  MemberReader reader(body);
  if (reader.has_null("defaultTtlSeconds")) {
    change.stamp = std::optional<Stamp>();
    // It also ends an `After` default, which another dialect may have set and which also holds for
    // existing records.
    if (std::holds_alternative<After>(policy.current_default())) change.default_lifetime = Unset{};
    return {};
  }
  const auto seconds = TRY(reader.integer("defaultTtlSeconds", 1, limits::ttl_seconds_max));
  if (seconds) change.stamp = Stamp{Span::seconds(*seconds), Stamp::When::creation};
  return {};
}

constexpr std::string_view unique_prefix = "unique_";
constexpr std::string_view reference_prefix = "reference_";

std::string index_name(std::string_view prefix, const std::string& property) {
  std::string name = std::string(prefix) + property;
  if (check_name(name, "index", "")) return name;
  return std::string(prefix) + encode_hex(property);
}

IndexSpec unique_index(const Shape& property) {
  return {.name = index_name(unique_prefix, property.name),
          .fields = {IndexField{Field::body(property.name)}},
          .unique = Uniqueness::of_complete,
          .is_of_definition = true};
}

// The index by which a deletion finds the records that refer to the deleted one.
IndexSpec reference_index(const Shape& property) {
  return {.name = index_name(reference_prefix, property.name),
          .fields = {IndexField{Field::body(property.name)}},
          .is_of_definition = true};
}

std::vector<IndexSpec> indexes_of(const std::vector<Shape>& properties) {
  std::vector<IndexSpec> indexes;
  for (const Shape& property : properties) {
    if (is_unique(property)) indexes.push_back(unique_index(property));
    if (on_delete(property) != OnDelete::nothing) indexes.push_back(reference_index(property));
  }
  return indexes;
}

// Creates the indexes that the properties need and the collection does not have.
Result<void> create_missing(const Collection& collection, const std::vector<IndexSpec>& wanted,
                            NewIndexes& created) {
  for (const IndexSpec& index : wanted) {
    if (collection.find_index(index.name) != nullptr) continue;
    TRY(created.create(index));
  }
  return {};
}

// Whether the index belongs to properties: it is marked as theirs, or was created before there was
// such a mark.
bool is_of_properties(const Index& index, const std::vector<IndexSpec>& before) {
  const bool has_prefix =
      index.name.starts_with(unique_prefix) || index.name.starts_with(reference_prefix);
  const auto is_it = [&](const IndexSpec& spec) { return has_content(index, spec); };
  return (index.is_of_definition && has_prefix) || std::any_of(before.begin(), before.end(), is_it);
}

// Drops the indexes that properties needed before and none needs now.
Result<void> drop_unwanted(Database& database, const Collection& collection,
                           const std::vector<IndexSpec>& before,
                           const std::vector<IndexSpec>& wanted) {
  for (const Index& index : collection.indexes) {
    const auto has_name = [&](const IndexSpec& other) { return other.name == index.name; };
    const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), has_name);
    if (is_wanted || !is_of_properties(index, before)) continue;
    TRY(database.drop_any_index(collection.id, index.name));
  }
  return {};
}

// Slug and id of a structure that is being made.
struct Identity {
  std::string slug;
  std::string id;
};

Result<Identity> identity_of(CentraliCall& call, const Object& body) {
  MemberReader reader(body);
  const auto name = TRY(reader.text("name"));
  if (!name || name->empty()) return fail(Code::invalid, "a structure needs a name", "name");
  Identity identity{slug_of(*name), ""};
  for (const std::string_view member : {"slug", "recordSlug"}) {
    if (auto sent = TRY(reader.text(member))) identity.slug = *sent;
  }
  if (!is_slug(identity.slug)) {
    return fail(Code::invalid,
                "recordSlug must have small letters, digits, hyphens and underscores only",
                "recordSlug");
  }
  if (auto sent = TRY(reader.text("id"))) {
    if (sent->empty() || sent->size() > limits::name_bytes_max) {
      return fail(Code::invalid,
                  "id must have 1 to " + std::to_string(limits::name_bytes_max) + " bytes", "id");
    }
    identity.id = *sent;
  } else {
    identity.id = call.services.random.uuid();
  }
  return identity;
}

Result<void> check_free(const Workspace& workspace, const Identity& identity) {
  for (const StructurePtr& other : workspace.structures()) {
    if (other->id == identity.id) {
      return fail(Code::exists, "there is already a structure with the id '" + identity.id + "'",
                  "id");
    }
    if (other->slug == identity.slug) {
      return fail(Code::exists, "there is already a structure '" + identity.slug + "'",
                  "recordSlug");
    }
  }
  return {};
}

net::Response respond(const CollectionPtr& collection, std::string_view workspace, int status) {
  return {.status = status, .body = render_structure(*structure_of(collection), workspace)};
}

Value name_or_null(const Principal& principal) {
  return principal.name.empty() ? Value(nullptr) : Value(principal.name);
}

}  // namespace

Result<DatabaseInfoPtr> workspace_database(CentraliCall& call) {
  if (auto found = call.database().catalog()->find_database(call.workspace)) return found;
  if (!is_slug(call.workspace)) {
    return fail(Code::invalid,
                "the name of a workspace has small letters, digits, hyphens and underscores",
                "workspace");
  }
  auto created = call.database().create_database(call.workspace);
  if (created || created.error().code != Code::exists) return created;
  // Another request was faster, and a further one may have dropped it since.
  if (auto found = call.database().catalog()->find_database(call.workspace)) return found;
  return fail(Code::contended, "the workspace has been dropped meanwhile", "workspace");
}

Result<StructurePtr> find_structure(CentraliCall& call, const CatalogPtr& catalog,
                                    std::string_view called, std::string field) {
  const WorkspacePtr workspace = call.directory.workspace(catalog, call.workspace);
  if (workspace) {
    if (StructurePtr found = workspace->find(called)) return found;
  }
  return fail(Code::not_found, "structure not found: '" + std::string(called) + "'",
              std::move(field));
}

Result<net::Response> list_structures(CentraliCall& call) {
  const Paging paging = TRY(parse_paging(call.request));
  const WorkspacePtr workspace =
      call.directory.workspace(call.database().catalog(), call.workspace);
  static const std::vector<StructurePtr> none;
  const auto& all = workspace ? workspace->structures() : none;
  const std::size_t from = std::min(paging.offset, all.size());
  const std::size_t to = std::min(from + paging.limit, all.size());
  net::Response response;
  JsonWriter json(response.body);
  json.begin_object();
  json.name("data").begin_array();
  for (std::size_t i = from; i < to; ++i) {
    render_structure(*all[i], call.workspace, json.begin_value());
  }
  json.end_array();
  render_meta(paging, to < all.size(), all.size(), json);
  json.end_object();
  return response;
}

Result<net::Response> create_structure(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const Identity identity = TRY(identity_of(call, body));
  CollectionSpec spec{.name = identity.slug};
  TRY(read_default(body, Policy{}, spec.promises));
  Object facet{{"id", identity.id}, {"isOwn", true}};
  TRY(merge(body, facet, call.details));
  facet.set("createdBy", name_or_null(call.principal));
  facet.set("updatedBy", name_or_null(call.principal));
  const Value definitions = Value(facet).member("properties");
  spec.indexes = indexes_of(TRY(parse_properties(definitions, call.details)));
  TRY(set_retention(facet, spec.promises));
  spec.promises.facets[std::string(facet_name)] = render_json(Value(std::move(facet)));

  const std::lock_guard edit(call.directory.edits());
  const DatabaseInfoPtr database = TRY(workspace_database(call));
  if (const auto workspace = call.directory.workspace(call.database().catalog(), call.workspace)) {
    TRY(check_free(*workspace, identity));
  }
  spec.default_counts_from = CountsFrom::write;
  const auto made = TRY(call.database().create_collection(database->id, spec));
  if (call.services.events != nullptr) call.services.events->wake();
  if (call.services.deliveries != nullptr) call.services.deliveries->wake();
  net::Response response = respond(made, call.workspace, 201);
  hint_at_misspelt(find_misspelt(body, default_members), default_members, response);
  return response;
}

Result<net::Response> read_structure(CentraliCall& call) {
  const StructurePtr structure =
      TRY(find_structure(call, call.database().catalog(), call.match["structure"], "id"));
  return net::Response{.body = render_structure(*structure, call.workspace)};
}

Result<net::Response> update_structure(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const std::lock_guard edit(call.directory.edits());
  const StructurePtr structure =
      TRY(find_structure(call, call.database().catalog(), call.match["structure"], "id"));
  for (const auto& [name, value] : body) {
    const bool is_slug_member = name == "recordSlug" || name == "slug";
    if (is_slug_member && !(is_text(value) && value.text() == structure->slug)) {
      return fail(Code::invalid, "the slug of a structure cannot be changed", name);
    }
  }
  CollectionChange change;
  TRY(read_default(body, structure->collection->policy, change));
  Object facet = structure->facet;
  facet.set("id", structure->id);
  facet.set("name", structure->name);
  TRY(merge(body, facet, call.details));
  facet.set("updatedBy", name_or_null(call.principal));
  TRY(change_retention(body, structure->facet, facet, change));
  const auto properties = TRY(parse_properties(Value(facet).member("properties"), call.details));
  change.facets[std::string(facet_name)] = render_json(Value(std::move(facet)));
  change.definition_indexes = indexes_of(properties);
  const std::vector<IndexSpec>& wanted = change.definition_indexes;
  const Collection& collection = *structure->collection;
  TRY(check_content(collection, wanted));
  NewIndexes created(call.database(), collection.id);
  TRY(create_missing(collection, wanted, created));
  const auto changed = TRY(call.database().change_collection(collection.id, change));
  created.keep();
  TRY(drop_unwanted(call.database(), *changed, indexes_of(structure->shape.children), wanted));
  net::Response response = respond(changed, call.workspace, 200);
  hint_at_misspelt(find_misspelt(body, default_members), default_members, response);
  return response;
}

Result<net::Response> drop_structure(CentraliCall& call) {
  const std::lock_guard edit(call.directory.edits());
  const StructurePtr structure =
      TRY(find_structure(call, call.database().catalog(), call.match["structure"], "id"));
  TRY(call.database().drop_collection(structure->collection->id));
  return net::Response{.status = 204};
}

}  // namespace mayfly::centrali
