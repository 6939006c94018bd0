#include "dialect/centrali/structures/structure.h"

#include "dialect/centrali/render.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

constexpr std::pair<std::string_view, Structure::Mode> modes[] = {
    {"strict", Structure::Mode::strict},
    {"schemaless", Structure::Mode::schemaless},
    {"auto-evolving", Structure::Mode::auto_evolving},
};

Object facet_of(const Collection& collection) {
  const auto found = collection.facets.find(facet_name);
  if (found == collection.facets.end()) return {};
  const auto parsed = parse_json(found->second);
  return parsed && parsed->is(Kind::object) ? parsed->object() : Object{};
}

std::string text_of(const Object& facet, std::string_view name, const std::string& otherwise) {
  const Value* value = facet.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : otherwise;
}

// The mode that the client set, or else strict or schemaless by whether there are properties.
Structure::Mode mode_of(const Structure& structure) {
  if (const auto said = parse_mode(text_of(structure.facet, "schemaDiscoveryMode", ""))) {
    return *said;
  }
  return structure.shape.children.empty() ? Structure::Mode::schemaless : Structure::Mode::strict;
}

Value facet_or_null(const Object& facet, std::string_view name) {
  const Value* value = facet.find(name);
  return value == nullptr ? Value(nullptr) : *value;
}

}  // namespace

StructurePtr structure_of(const CollectionPtr& collection) {
  auto structure = std::make_shared<Structure>();
  structure->collection = collection;
  structure->facet = facet_of(*collection);
  structure->slug = collection->name;
  structure->id = text_of(structure->facet, "id", "str_" + collection->name);
  structure->name = text_of(structure->facet, "name", collection->name);
  if (const Value* definitions = structure->facet.find("properties")) {
    std::vector<Detail> details;
    if (auto parsed = parse_properties(*definitions, details)) {
      structure->shape.children = std::move(*parsed);
    }
  }
  structure->mode = mode_of(*structure);
  const bool is_strict = structure->mode == Structure::Mode::strict;
  structure->shape.unknown = is_strict ? Shape::Unknown::refused : Shape::Unknown::accepted;
  return structure;
}

std::optional<Structure::Mode> parse_mode(std::string_view word) {
  for (const auto& [name, mode] : modes) {
    if (name == word) return mode;
  }
  return std::nullopt;
}

std::string_view word_of(Structure::Mode mode) {
  for (const auto& [name, meaning] : modes) {
    if (meaning == mode) return name;
  }
  return "strict";
}

std::optional<Bytes> routing_of_records(const Structure& structure) {
  return structure.facet.find("isOwn") != nullptr ? std::optional(Bytes()) : std::nullopt;
}

std::optional<std::int64_t> default_seconds(const Policy& policy) {
  if (policy.stamp) return policy.stamp->span.whole_seconds();
  const auto* after = std::get_if<After>(&policy.current_default());
  if (after == nullptr) return std::nullopt;
  return after->span.whole_seconds();
}

std::string slug_of(std::string_view name) {
  std::string slug;
  bool has_gap = false;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_kept) {
      if (has_gap && !slug.empty()) slug.push_back('-');
      slug.push_back(c);
    }
    has_gap = !is_kept;
  }
  return slug;
}

std::string render_structure(const Structure& structure, std::string_view workspace) {
  std::string out;
  render_structure(structure, workspace, out);
  return out;
}

void render_structure(const Structure& structure, std::string_view workspace, std::string& out) {
  const Collection& collection = *structure.collection;
  const auto seconds = default_seconds(collection.policy);
  const Value* properties = structure.facet.find("properties");
  const Value* versioning = structure.facet.find("enableVersioning");
  Object rendered{{"id", structure.id},
                  {"workspaceSlug", workspace},
                  {"recordSlug", structure.slug},
                  {"name", structure.name},
                  {"description", facet_or_null(structure.facet, "description")},
                  {"properties", properties == nullptr ? Value(Array{}) : *properties},
                  {"status", text_of(structure.facet, "status", "active")},
                  {"isStrict", structure.mode == Structure::Mode::strict},
                  {"schemaDiscoveryMode", word_of(structure.mode)},
                  {"enableVersioning", versioning != nullptr && versioning->is_true()},
                  {"retentionPolicy", facet_or_null(structure.facet, "retentionPolicy")},
                  {"defaultSearchField", facet_or_null(structure.facet, "defaultSearchField")},
                  {"defaultTtlSeconds", seconds ? Value(*seconds) : Value(nullptr)},
                  {"createdAt", render_time(collection.created_at)},
                  {"updatedAt", render_time(collection.changed_at)},
                  {"createdBy", facet_or_null(structure.facet, "createdBy")},
                  {"updatedBy", facet_or_null(structure.facet, "updatedBy")}};
  render_json(Value(std::move(rendered)), out);
}

}  // namespace mayfly::centrali
