#include "dialect/kuzzle/mappings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/places.h"
#include "dialect/kuzzle/search/dsl/dates.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view kept_members[] = {"dynamic", "_meta", "properties"};
constexpr std::string_view ignored_members[] = {"dynamic_templates", "mappings", "settings"};

// Of Elasticsearch 5 to 7.
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

// What a field is; empty where its mapping says nothing of it.
std::string type_of_field(const Value& field) {
  const Value type = field.member("type");
  if (type.is(Kind::text)) return type.text();
  return field.member("properties").is_missing() ? "" : "object";
}

std::string dotted(const std::string& within, std::string_view name) {
  return within.empty() ? std::string(name) : within + '.' + std::string(name);
}

Result<void> check_types(const Value& standing, const Value& asked, const std::string& within) {
  const Value properties = asked.member("properties");
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

Object told_metadata(Shape shape) {
  const Object keyword{{"type", "keyword"}};
  const Object date{{"type", "date"}};
  Object fields{
      {"author", keyword}, {"updater", keyword}, {"createdAt", date}, {"updatedAt", date}};
  if (shape != Shape::v2) {
    fields.append("active", Object{{"type", "boolean"}});
    fields.append("deletedAt", date);
  }
  return {{"properties", std::move(fields)}};
}

// Whether a mapping forbids what it does not name: itself, or as what it lies in.
bool is_strict(const Value& node, bool outer) {
  const Value dynamic = node.member("dynamic");
  return dynamic.is_missing() ? outer : dynamic.is(Kind::text) && dynamic.text() == "strict";
}

bool has_fields(const Value& field) {
  const std::string type = type_of_field(field);
  return type.empty() || type == "object" || type == "nested";
}

std::string find_unnamed(const Value& node, const Value& body, bool outer_is_strict,
                         const std::string& within);

// Of a field that has fields of its own, in a document or in each of several.
std::string find_unnamed_in(const Value& field, const Value& value, bool outer_is_strict,
                            const std::string& path) {
  if (!value.is(Kind::array)) return find_unnamed(field, value, outer_is_strict, path);
  for (const Value& one : value.array()) {
    std::string found = find_unnamed(field, one, outer_is_strict, path);
    if (!found.empty()) return found;
  }
  return {};
}

// The path of a field that a strict mapping does not name; empty: there is none.
std::string find_unnamed(const Value& node, const Value& body, bool outer_is_strict,
                         const std::string& within) {
  if (!body.is(Kind::object)) return {};
  const bool strict = is_strict(node, outer_is_strict);
  const Value properties = node.member("properties");
  for (const auto& [name, value] : body.object()) {
    if (within.empty() && name == metadata_field) continue;
    const std::string path = dotted(within, name);
    const Value field = properties.member(name);
    if (field.is_missing()) {
      if (strict) return path;
      continue;
    }
    if (!has_fields(field)) continue;
    std::string found = find_unnamed_in(field, value, strict, path);
    if (!found.empty()) return found;
  }
  return {};
}

// --- values: which ones Elasticsearch takes for a type, with its coercions ---

bool coerces(const Value& field) {
  const Value coerce = field.member("coerce");
  return !coerce.is(Kind::boolean) || coerce.boolean();
}

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

bool fits_number(const Value& value, const Value& field) {
  if (value.is_number()) return true;
  if (!value.is(Kind::text) || !coerces(field)) return false;
  return value.text().empty() || number_in(value.text());
}

// Up to so many bits beside the sign.
template <int bits>
bool fits_whole(const Value& value, const Value& field) {
  if (!fits_number(value, field)) return false;
  const double number = value.is_number() ? value.number() : number_in(value.text()).value_or(0);
  if (!coerces(field) && number != std::trunc(number)) return false;
  const double most = std::ldexp(1.0, bits);
  return std::trunc(number) >= -most && std::trunc(number) < most;
}

bool fits_boolean(const Value& value, const Value&) {
  if (value.is(Kind::boolean)) return true;
  return value.is(Kind::text) &&
         (value.text() == "true" || value.text() == "false" || value.text().empty());
}

// Of a format of its own nothing is known.
bool fits_date(const Value& value, const Value& field) {
  if (value.is_number() || !field.member("format").is_missing()) return true;
  if (!value.is(Kind::text) || value.text().empty()) return false;
  const std::string& text = value.text();
  const bool begins_with_a_year =
      std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-';
  return begins_with_a_year && text.find('|') == std::string::npos &&
         (number_in(text) || search::parse_date(text, Instant{}, search::Rounding::down));
}

bool fits_text(const Value& value, const Value&) {
  return !value.is(Kind::object);
}

struct FittingRow {
  std::string_view type;
  bool (*fits)(const Value& value, const Value& field);
};
constexpr FittingRow fitting[] = {
    {"long", fits_whole<63>},    {"integer", fits_whole<31>},   {"short", fits_whole<15>},
    {"byte", fits_whole<7>},     {"double", fits_number},       {"float", fits_number},
    {"half_float", fits_number}, {"scaled_float", fits_number}, {"boolean", fits_boolean},
    {"date", fits_date},         {"text", fits_text},           {"string", fits_text},
    {"keyword", fits_text}};

Result<void> check_values(const Value& node, const Value& body, const std::string& within);

Result<void> check_value(const Value& field, const Value& value, const std::string& path) {
  if (value.is_null() || field.member("ignore_malformed").is_true()) return {};
  if (value.is(Kind::array)) {
    for (const Value& one : value.array()) TRY(check_value(field, one, path));
    return {};
  }
  const std::string type = type_of_field(field);
  if (type == "object" || type == "nested") {
    if (value.is(Kind::object)) return check_values(field, value, path);
    return fail(Code::invalid, fmt::format("object mapping for [{}] tried to parse field [{}] as "
                                           "object, but found a concrete value",
                                           path, path));
  }
  for (const FittingRow& row : fitting) {
    if (row.type != type || row.fits(value, field)) continue;
    return fail(Code::invalid, fmt::format("failed to parse field [{}] of type [{}]", path, type));
  }
  return {};
}

Result<void> check_values(const Value& node, const Value& body, const std::string& within) {
  const Value properties = node.member("properties");
  if (!properties.is(Kind::object) || !body.is(Kind::object)) return {};
  for (const auto& [name, value] : body.object()) {
    const Value field = properties.member(name);
    if (!field.is_missing()) TRY(check_value(field, value, dotted(within, name)));
  }
  return {};
}

}  // namespace

Result<Value> asked_mapping(const Value& body, Shape shape) {
  Value mapping = body;
  const Value within = body.member("mappings");
  if (within.is(Kind::object)) mapping = within;
  if (shape == Shape::v2 && !within.is_missing() && !within.is_null() && !within.is(Kind::object)) {
    return invalid_mapping("The mappings are an object.");
  }
  if (!mapping.is(Kind::object)) return Value(Object());
  if (shape == Shape::v2) TRY(check_root(mapping));
  const Value properties = mapping.member("properties");
  if (!properties.is_missing() && !properties.is(Kind::object)) {
    return invalid_mapping("the mapping's properties are an object");
  }
  Object kept;
  for (const std::string_view name : kept_members) {
    if (Value value = mapping.member(name); !value.is_missing()) {
      kept.append(std::string(name), value);
    }
  }
  return Value(kept);
}

Result<void> check_field_types(const Value& standing, const Value& asked) {
  return check_types(standing, asked, "");
}

Value told_mapping(const Value& mapping, Shape shape, MetadataFields metadata) {
  Object told;
  const Value dynamic = mapping.member("dynamic");
  if (dynamic.is(Kind::boolean)) {
    told.append("dynamic", dynamic.boolean() ? "true" : "false");
  } else if (!dynamic.is_missing()) {
    told.append("dynamic", dynamic);
  } else if (shape != Shape::v1) {
    told.append("dynamic", "true");
  }
  if (Value meta = mapping.member("_meta"); !meta.is_missing()) told.append("_meta", meta);
  Value properties = mapping.member("properties");
  if (properties.is_missing()) properties = Object();
  if (metadata == MetadataFields::shown) {
    properties.mutable_object().set(metadata_field, told_metadata(shape));
  }
  told.append("properties", std::move(properties));
  return told;
}

Result<void> check_against_mapping(const Call& call, const Collection& collection,
                                   const std::string& id, const Value& body) {
  const auto facet = collection.facets.find(mapping_facet);
  if (facet == collection.facets.end() || facet->second == "{}") return {};
  const Value mapping = mapping_of(collection);
  if (const std::string field = find_unnamed(mapping, body, false, ""); !field.empty()) {
    return problem_in_both(
        "services.storage.strict_mapping_rejection",
        fmt::format("[strict_dynamic_mapping_exception] mapping set to strict, dynamic "
                    "introduction of [{}] within [{}] is not allowed",
                    field, collection.name),
        {field, call.message.index, collection.name});
  }
  auto fits = check_values(mapping, body, "");
  if (fits) return fits;
  return problem("services.storage.unexpected_bad_request",
                 fmt::format("{} in document with id '{}'", fits.error().message, id));
}

}  // namespace mayfly::kuzzle
