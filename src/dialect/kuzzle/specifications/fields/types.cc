#include "dialect/kuzzle/specifications/fields/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dialect/kuzzle/koncorde/places.h"
#include "dialect/kuzzle/specifications/fields/date_formats.h"
#include "dialect/kuzzle/specifications/fields/shapes.h"
#include "dialect/kuzzle/specifications/fields/texts.h"
#include "expr/functions/times/iso_time.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::specifications {
namespace {

constexpr const char* no_text = "The field must be a string.";

std::string wrong_option(std::string_view option, std::string_view expected) {
  return fmt::format("Wrong type for parameter \"{}\" (expected: {}).", option, expected);
}

// --- {min, max}, of numbers ---

std::string complaint_about_bounds(const Object& options, std::string_view name) {
  const Value* bounds = options.find(name);
  if (bounds == nullptr) return {};
  if (!bounds->is(Kind::object)) return wrong_option(name, "object");
  for (const auto& [member, value] : bounds->object()) {
    if (member != "min" && member != "max") {
      return fmt::format("The object \"{}\" contains unexpected properties (allowed: min, max).",
                         name);
    }
    if (!value.is_number()) return wrong_option(fmt::format("{}.{}", name, member), "number");
  }
  const Value min = bounds->member("min");
  const Value max = bounds->member("max");
  if (min.is_number() && max.is_number() && min.number() > max.number()) {
    return fmt::format("Property \"{}\": invalid range (min > max).", name);
  }
  return {};
}

FieldShape::MinMax bounds_of(const Value& options, std::string_view name) {
  const Value bounds = options.member(name);
  return {bounds.member("min"), bounds.member("max")};
}

std::string complaint_about_range(const Object& options) {
  return complaint_about_bounds(options, "range");
}

bool is_number(const Value& value) {
  return value.is_number();
}
bool is_integer(const Value& value) {
  return value.is_number() && std::trunc(value.number()) == value.number();
}

// --- texts ---

std::string complaint_about_length(const Object& options) {
  return complaint_about_bounds(options, "length");
}

// In units of UTF-16, as in clients.
std::size_t length_of(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) != 0x80U) units += byte >= 0xf0U ? 2 : 1;
  }
  return units;
}

std::string joined(const Array& texts) {
  std::string all;
  for (const Value& one : texts) {
    all += (all.empty() ? "" : ", ") + (one.is(Kind::text) ? one.text() : render_json(one));
  }
  return all;
}

bool are_texts(const Value* values) {
  return values != nullptr && values->is(Kind::array) && !values->array().empty() &&
         std::all_of(values->array().begin(), values->array().end(),
                     [](const Value& one) { return one.is(Kind::text); });
}

std::string options_error(const Object& options) {
  const Value* values = options.find("values");
  if (values == nullptr) {
    return "The \"enum\" type requires a \"values\" property holding the list of the enum values.";
  }
  return are_texts(values) ? std::string() : wrong_option("values", "string[]");
}

std::string complaint_about_empty(const Object& options) {
  const Value* not_empty = options.find("notEmpty");
  if (not_empty == nullptr || not_empty->is(Kind::boolean)) return {};
  return wrong_option("notEmpty", "boolean");
}

std::string looks_like(bool (*is)(std::string_view), const char* otherwise, const Value& options,
                       const Value& value) {
  if (!value.text().empty()) return is(value.text()) ? "" : otherwise;
  return options.member("notEmpty").is_true() ? "The string must not be empty." : "";
}

std::string email(const FieldShape& shape, const Value& value, Instant) {
  return looks_like(is_email, "The string must be a valid email address.", shape.options, value);
}
std::string ip_address(const FieldShape& shape, const Value& value, Instant) {
  return looks_like(is_ip_address, "The string must be a valid IP address.", shape.options, value);
}
std::string url(const FieldShape& shape, const Value& value, Instant) {
  return looks_like(is_url, "The string must be a valid URL.", shape.options, value);
}

// --- dates ---

std::optional<Instant> bound_of(const Value& bound, Instant now) {
  if (!bound.is(Kind::text)) return std::nullopt;
  if (bound.text() == "NOW") return now;
  const auto time = parse_iso_time(bound.text());
  return time ? std::optional(time->first) : std::nullopt;
}

std::string complaint_about_dates(const Object& options) {
  if (const Value* formats = options.find("formats")) {
    if (!are_texts(formats)) return wrong_option("formats", "string[]");
    Array unknown;
    for (const Value& format : formats->array()) {
      if (!is_date_format(format.text())) unknown.push_back(format);
    }
    if (!unknown.empty()) {
      return fmt::format("The following date types are invalid: {}.", joined(unknown));
    }
  }
  const Value* range = options.find("range");
  if (range == nullptr) return {};
  if (!range->is(Kind::object)) return wrong_option("range", "object");
  for (const auto& [member, value] : range->object()) {
    if (member != "min" && member != "max") {
      return "The object \"range\" contains unexpected properties (allowed: min, max).";
    }
    if (bound_of(value, Instant{})) continue;
    return fmt::format("Cannot parse the date value: \"{}\".",
                       value.is(Kind::text) ? value.text() : render_json(value));
  }
  return {};
}

std::string date(const FieldShape& shape, const Value& value, Instant now) {
  std::optional<Instant> at;
  if (const Value formats = shape.options.member("formats"); formats.is(Kind::array)) {
    for (const Value& format : formats.array()) {
      if (!at) at = parse_dated(format.text(), value, now);
    }
  } else {
    at = parse_dated("epoch_millis", value, now);
  }
  if (!at) return "The date format is not valid.";
  const auto min = bound_of(shape.range.min, now);
  const auto max = bound_of(shape.range.max, now);
  if (min && *at < *min) return "The provided date is before the defined minimum.";
  if (max && *max < *at) return "The provided date is after the defined maximum.";
  return {};
}

// --- places ---

std::string complaint_about_shapes(const Object& options) {
  const Value* types = options.find("shapeTypes");
  if (types == nullptr) return {};
  if (!are_texts(types)) return wrong_option("shapeTypes", "string[]");
  Array unknown;
  for (const Value& type : types->array()) {
    if (!is_shape_type(type.text())) unknown.push_back(type);
  }
  if (unknown.empty()) return {};
  return fmt::format("The following shapes are invalid: {}.", joined(unknown));
}

std::string geo_shape(const FieldShape& shape, const Value& value, Instant) {
  const Value types = shape.options.member("shapeTypes");
  return shape_error(types.is(Kind::array) ? types.array() : Array(), value);
}

// --- objects ---

std::string complaint_about_strict(const Object& options) {
  const Value* strict = options.find("strict");
  if (strict == nullptr || strict->is(Kind::boolean)) return {};
  return wrong_option("strict", "boolean");
}

constexpr FieldType types[] = {
    {{"anything"}, {}},
    {{"boolean", "The field must be of type boolean.", is_a<Kind::boolean>}, {}},
    {{"date", "", nullptr, date}, {"range", "formats"}, complaint_about_dates},
    {{"email", no_text, is_a<Kind::text>, email}, {"notEmpty"}, complaint_about_empty},
    {{"enum", no_text, is_a<Kind::text>}, {"values"}, options_error},
    {{"geo_point", "Invalid GeoPoint format", koncorde::is_point}, {}},
    {{"geo_shape", "The shape object has no type defined.", is_a<Kind::object>, geo_shape},
     {"shapeTypes"},
     complaint_about_shapes},
    {{"integer", "The field must be an integer", is_integer}, {"range"}, complaint_about_range},
    {{"ip_address", no_text, is_a<Kind::text>, ip_address}, {"notEmpty"}, complaint_about_empty},
    {{"numeric", "The field must be a number.", is_number}, {"range"}, complaint_about_range},
    {{"object", "The value must be an object.", is_a<Kind::object>},
     {"strict"},
     complaint_about_strict,
     true},
    {{"string", no_text, is_a<Kind::text>, nullptr, length_of}, {"length"}, complaint_about_length},
    {{"url", no_text, is_a<Kind::text>, url}, {"notEmpty"}, complaint_about_empty},
};

constexpr ShapeType several{"several", "The field must be multivalued, unary value provided.",
                            is_a<Kind::array>};

std::string words_of_size(const Violation& violation) {
  const bool is_min = violation.what == Violation::What::size_min;
  const std::string limit = render_json(violation.limit);
  if (violation.value->is(Kind::array)) {
    return fmt::format("{} elements. {} count is set to {}.", is_min ? "Not enough" : "Too many",
                       is_min ? "Minimum" : "Maximum", limit);
  }
  const std::string& text = violation.value->text();
  return fmt::format("Invalid string length. Expected {}: {}. Received: {} (\"{}\")",
                     is_min ? "min" : "max", limit, length_of(text), text);
}

}  // namespace

const FieldType* find_type(std::string_view name) {
  for (const FieldType& type : types) {
    if (type.type.name == name) return &type;
  }
  return nullptr;
}

FieldShape shape_of(const FieldType& type, Object options) {
  FieldShape shape{.type = &type.type, .options = std::move(options)};
  shape.null = FieldShape::Null::value;
  shape.range = bounds_of(shape.options, "range");
  shape.size = bounds_of(shape.options, "length");
  const Value choices = shape.options.member("values");
  if (choices.is(Kind::array)) shape.choices = choices.array();
  shape.is_brief = true;
  return shape;
}

FieldShape several_of(FieldShape one, FieldShape::MinMax count) {
  FieldShape all{.type = &several, .size = std::move(count)};
  all.items.push_back(std::move(one));
  all.is_brief = true;
  return all;
}

std::string words_of(const Violation& violation) {
  using What = Violation::What;
  switch (violation.what) {
    case What::missing: return "The field is mandatory.";
    case What::several: return "The field is not a multivalued field; Multiple values provided.";
    case What::choice:
      return fmt::format("The field only accepts following values: \"{}\".",
                         joined(violation.shape->choices));
    case What::least: return "The value is lesser than the minimum.";
    case What::most: return "The value is greater than the maximum.";
    case What::size_min:
    case What::size_max: return words_of_size(violation);
    default: return violation.claim;
  }
}

}  // namespace mayfly::kuzzle::specifications
