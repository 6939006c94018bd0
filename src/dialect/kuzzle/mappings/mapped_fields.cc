#include "dialect/kuzzle/mappings/mapped_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/mappings/value_shapes.h"
#include "dialect/kuzzle/search/dsl/dates.h"

namespace mayfly::kuzzle {
namespace {

// A field of a mapping, or the document itself. Parsed once, because a body may have the field
// often.
struct FieldNode {
  std::string type;                                              // empty: none
  bool (*fits)(const Value&, const FieldNode& field) = nullptr;  // null: accepts every value
  bool has_fields = false;  // an object, or an array of objects
  bool is_strict = false;   // forbids other fields
  bool coerces = true;
  bool has_format = false;
  bool ignores_malformed = false;
  bool takes_arrays = false;
  std::map<std::string, std::unique_ptr<FieldNode>, std::less<>> fields = {};
};

// --- the values that Elasticsearch accepts for a type, with its coercions ---

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

bool fits_number(const Value& value, const FieldNode& field) {
  if (value.is_number()) return true;
  if (!value.is(Kind::text) || !field.coerces) return false;
  return value.text().empty() || number_in(value.text());
}

// Integers of up to so many bits besides the sign.
template <int bits>
bool fits_whole(const Value& value, const FieldNode& field) {
  if (!fits_number(value, field)) return false;
  const double number = value.is_number() ? value.number() : number_in(value.text()).value_or(0);
  if (!field.coerces && number != std::trunc(number)) return false;
  const double most = std::ldexp(1.0, bits);
  return std::trunc(number) >= -most && std::trunc(number) < most;
}

bool fits_boolean(const Value& value, const FieldNode&) {
  if (value.is(Kind::boolean)) return true;
  return value.is(Kind::text) &&
         (value.text() == "true" || value.text() == "false" || value.text().empty());
}

// Custom formats are not checked.
bool fits_date(const Value& value, const FieldNode& field) {
  if (value.is_number() || field.has_format) return true;
  if (!value.is(Kind::text) || value.text().empty()) return false;
  const std::string& text = value.text();
  const bool begins_with_a_year =
      std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-';
  return begins_with_a_year && text.find('|') == std::string::npos &&
         (number_in(text) || search::parse_date(text, Instant{}, search::Rounding::down));
}

template <bool (*is)(const Value&)>
bool fits(const Value& value, const FieldNode&) {
  return is(value);
}

bool is_number_bound(const Value& bound) {
  return bound.is_number() || (bound.is(Kind::text) && number_in(bound.text()));
}

bool is_date_bound(const Value& bound) {
  return bound.is_number() || bound.is(Kind::text);
}

template <FitsBound fits_bound>
bool fits_range(const Value& value, const FieldNode& field) {
  if (!is_range(value, fits_bound)) return false;
  if (fits_bound != is_date_bound || field.has_format) return true;
  return std::all_of(value.object().begin(), value.object().end(), [&](const auto& bound) {
    return bound.second.is_null() || fits_date(bound.second, field);
  });
}

bool fits_text(const Value& value, const FieldNode&) {
  return !value.is(Kind::object);
}

struct FittingRow {
  std::string_view type;
  bool (*fits)(const Value& value, const FieldNode& field);
  bool takes_arrays = false;  // an array may be one value
};
constexpr FittingRow fitting[] = {{"long", fits_whole<63>},
                                  {"integer", fits_whole<31>},
                                  {"short", fits_whole<15>},
                                  {"byte", fits_whole<7>},
                                  {"double", fits_number},
                                  {"float", fits_number},
                                  {"half_float", fits_number},
                                  {"scaled_float", fits_number},
                                  {"boolean", fits_boolean},
                                  {"date", fits_date},
                                  {"text", fits_text},
                                  {"string", fits_text},
                                  {"keyword", fits_text},
                                  {"ip", fits<is_ip>},
                                  {"geo_point", fits<is_geo_point>, true},
                                  {"geo_shape", fits<is_geo_shape>},
                                  {"integer_range", fits_range<is_number_bound>},
                                  {"long_range", fits_range<is_number_bound>},
                                  {"float_range", fits_range<is_number_bound>},
                                  {"double_range", fits_range<is_number_bound>},
                                  {"date_range", fits_range<is_date_bound>},
                                  {"ip_range", fits<is_ip_range>}};

// --- reading a mapping ---

void read_type(const Value& field, FieldNode& node) {
  const Value type = field.member("type");
  if (type.is(Kind::text)) node.type = type.text();
  for (const FittingRow& row : fitting) {
    if (row.type != node.type) continue;
    node.fits = row.fits;
    node.takes_arrays = row.takes_arrays;
  }
  const bool names_fields = !field.member("properties").is_missing();
  const bool is_object = node.type == "object" || node.type == "nested";
  node.has_fields = is_object || (node.type.empty() && names_fields);
  const Value coerce = field.member("coerce");
  node.coerces = !coerce.is(Kind::boolean) || coerce.boolean();
  node.has_format = !field.member("format").is_missing();
  node.ignores_malformed = field.member("ignore_malformed").is_true();
}

// Inherits `dynamic` from the enclosing object. Mappings are nested no deeper than
// limits::mapping_depth_max.
std::unique_ptr<FieldNode> read_node(const Value& field, bool outer_is_strict) {
  auto node = std::make_unique<FieldNode>();
  read_type(field, *node);
  const Value dynamic = field.member("dynamic");
  node->is_strict =
      dynamic.is_missing() ? outer_is_strict : dynamic.is(Kind::text) && dynamic.text() == "strict";
  const Value properties = field.member("properties");
  if (!properties.is(Kind::object)) return node;
  for (const auto& [name, below] : properties.object()) {
    node->fields.insert_or_assign(name, read_node(below, node->is_strict));
  }
  return node;
}

// Kept with the collection: requests write many documents of one.
std::shared_ptr<const FieldNode> mapped_fields_of(const Collection& collection) {
  return *collection.derived.get<FieldNode>([&]() -> Result<std::shared_ptr<const FieldNode>> {
    return std::shared_ptr<const FieldNode>(read_node(mapping_of(collection), false));
  });
}

// --- documents ---

struct MappingViolation {
  enum class Kind { unnamed, value, no_object } kind = Kind::unnamed;
  std::string path;
  std::string type = {};
};

std::optional<MappingViolation> find_violation(const FieldNode& node, const Value& body);

std::optional<MappingViolation> find_violation_of(const FieldNode& field, const Value& value) {
  if (value.is_null() || field.ignores_malformed) return std::nullopt;
  if (value.is(Kind::array) && field.takes_arrays && field.fits(value, field)) return std::nullopt;
  if (value.is(Kind::array)) {
    for (const Value& one : value.array()) {
      if (auto violation = find_violation_of(field, one)) return violation;
    }
    return std::nullopt;
  }
  if (field.has_fields && value.is(Kind::object)) return find_violation(field, value);
  if (field.has_fields) return MappingViolation{MappingViolation::Kind::no_object, ""};
  if (field.fits == nullptr || field.fits(value, field)) return std::nullopt;
  return MappingViolation{MappingViolation::Kind::value, "", field.type};
}

std::optional<MappingViolation> find_violation(const FieldNode& node, const Value& body) {
  for (const auto& [name, value] : body.object()) {
    const auto field = node.fields.find(name);
    std::optional<MappingViolation> violation;
    if (field != node.fields.end()) {
      violation = find_violation_of(*field->second, value);
    } else if (node.is_strict && name != metadata_field) {
      violation = MappingViolation{MappingViolation::Kind::unnamed, ""};
    }
    if (!violation) continue;
    violation->path =
        violation->path.empty() ? std::string(name) : std::string(name) + '.' + violation->path;
    return violation;
  }
  return std::nullopt;
}

std::string sentence_of(const MappingViolation& violation) {
  if (violation.kind == MappingViolation::Kind::value) {
    return fmt::format("failed to parse field [{}] of type [{}]", violation.path, violation.type);
  }
  return fmt::format(
      "object mapping for [{0}] tried to parse field [{0}] as object, but found a concrete value",
      violation.path);
}

}  // namespace

Result<void> check_against_mapping(const KuzzleCall& call, const Collection& collection,
                                   const std::string& id, const Value& body) {
  const auto facet = collection.facets.find(mapping_facet);
  if (facet == collection.facets.end() || facet->second == "{}") return {};
  const auto violation = find_violation(*mapped_fields_of(collection), body);
  if (!violation) return {};
  if (violation->kind == MappingViolation::Kind::unnamed) {
    return problem_in_both(
        "services.storage.strict_mapping_rejection",
        fmt::format("[strict_dynamic_mapping_exception] mapping set to strict, dynamic "
                    "introduction of [{}] within [{}] is not allowed",
                    violation->path, collection.name),
        {violation->path, call.message.index, collection.name});
  }
  return problem("services.storage.unexpected_bad_request",
                 fmt::format("{} in document with id '{}'", sentence_of(*violation), id));
}

}  // namespace mayfly::kuzzle
