#include "dialect/kuzzle/mappings/mappings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view kept_members[] = {"dynamic", "_meta", "properties"};
constexpr std::string_view ignored_members[] = {"dynamic_templates", "mappings", "settings"};

// The types of Elasticsearch 5 to 7.
constexpr std::string_view field_types[] = {"text",
                                            "string",
                                            "keyword",
                                            "constant_keyword",
                                            "wildcard",
                                            "long",
                                            "integer",
                                            "short",
                                            "byte",
                                            "double",
                                            "float",
                                            "half_float",
                                            "scaled_float",
                                            "unsigned_long",
                                            "boolean",
                                            "date",
                                            "date_nanos",
                                            "binary",
                                            "object",
                                            "nested",
                                            "flattened",
                                            "ip",
                                            "geo_point",
                                            "geo_shape",
                                            "point",
                                            "shape",
                                            "completion",
                                            "token_count",
                                            "search_as_you_type",
                                            "integer_range",
                                            "long_range",
                                            "float_range",
                                            "double_range",
                                            "date_range",
                                            "ip_range",
                                            "percolator",
                                            "join",
                                            "alias",
                                            "rank_feature",
                                            "rank_features",
                                            "dense_vector",
                                            "histogram",
                                            "murmur3",
                                            "annotated_text"};

template <std::size_t N>
bool is_among(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

tl::unexpected<Error> invalid_mapping(std::string message) {
  return problem("services.storage.invalid_mapping", std::move(message));
}

Result<void> check_root(const Value& mapping) {
  for (const auto& [name, value] : mapping.object()) {
    if (is_among(kept_members, name) || is_among(ignored_members, name)) continue;
    return invalid_mapping(fmt::format("Invalid mapping property \"mappings.{}\".", name));
  }
  return {};
}

// The type of a field; empty if its mapping has none.
std::string type_of_field(const Value& field) {
  const Value type = field.member("type");
  if (type.is(Kind::text)) return type.text();
  return field.member("properties").is_missing() ? "" : "object";
}

std::string dotted(const std::string& within, std::string_view name) {
  return within.empty() ? std::string(name) : within + '.' + std::string(name);
}

Result<void> check_types(const Value& standing, const Value& requested, const std::string& within) {
  const Value properties = requested.member("properties");
  if (!properties.is(Kind::object)) return {};
  const Value before = standing.member("properties");
  for (const auto& [name, field] : properties.object()) {
    const std::string path = dotted(within, name);
    const std::string type = type_of_field(field);
    if (!type.empty() && !is_among(field_types, type)) {
      return invalid_mapping(
          fmt::format("Field \"{}\": the data type \"{}\" doesn't exist.", path, type));
    }
    const Value field_before = before.member(name);
    const std::string type_before = type_of_field(field_before);
    if (!type.empty() && !type_before.empty() && type != type_before) {
      return invalid_mapping(
          fmt::format("Field \"{}\" is of the type \"{}\", which cannot be changed to \"{}\".",
                      path, type_before, type));
    }
    TRY(check_types(field_before, field, path));
  }
  return {};
}

Object metadata_for_client(const Generation& generation) {
  const Object keyword{{"type", "keyword"}};
  const Object date{{"type", "date"}};
  Object fields{
      {"author", keyword}, {"updater", keyword}, {"createdAt", date}, {"updatedAt", date}};
  if (generation.shows_removal) {
    fields.append("active", Object{{"type", "boolean"}});
    fields.append("deletedAt", date);
  }
  return {{"properties", std::move(fields)}};
}

}  // namespace

Result<Value> requested_mapping(const Value& body, const Generation& generation) {
  Value mapping = body;
  const Value within = body.member("mappings");
  if (within.is(Kind::object)) mapping = within;
  const bool is_other = !within.is_missing() && !within.is_null() && !within.is(Kind::object);
  if (is_other && generation.checks_whole_mappings) {
    return invalid_mapping("The mappings are an object.");
  }
  if (!mapping.is(Kind::object)) return Value(Object());
  if (generation.checks_whole_mappings) TRY(check_root(mapping));
  const Value properties = mapping.member("properties");
  if (!properties.is_missing() && !properties.is(Kind::object)) {
    return invalid_mapping("the mapping's properties are an object");
  }
  Object sorted;
  for (const std::string_view name : kept_members) {
    if (Value value = mapping.member(name); !value.is_missing()) {
      sorted.append(std::string(name), value);
    }
  }
  return Value(sorted);
}

Result<void> check_field_types(const Value& standing, const Value& requested) {
  return check_types(standing, requested, "");
}

Value mapping_for_client(const Value& mapping, const Generation& generation,
                         MetadataFields metadata) {
  Object shown;
  const Value dynamic = mapping.member("dynamic");
  if (dynamic.is(Kind::boolean)) {
    shown.append("dynamic", dynamic.boolean() ? "true" : "false");
  } else if (!dynamic.is_missing()) {
    shown.append("dynamic", dynamic);
  } else if (generation.has_mapping_default) {
    shown.append("dynamic", "true");
  }
  if (Value meta = mapping.member("_meta"); !meta.is_missing()) shown.append("_meta", meta);
  Value properties = mapping.member("properties");
  if (properties.is_missing()) properties = Object();
  if (metadata == MetadataFields::shown) {
    properties.mutable_object().set(metadata_field, metadata_for_client(generation));
  }
  shown.append("properties", std::move(properties));
  return shown;
}

}  // namespace mayfly::kuzzle
