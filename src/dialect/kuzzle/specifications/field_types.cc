#include "dialect/kuzzle/specifications/field_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dialect/kuzzle/koncorde/places.h"
#include "dialect/kuzzle/specifications/date_formats.h"
#include "dialect/kuzzle/specifications/shapes.h"
#include "dialect/kuzzle/specifications/texts.h"
#include "expr/functions/iso_time.h"
#include "value/json.h"

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

struct Bounds {
  Value min;
  Value max;
};
Bounds bounds_of(const Object& options, std::string_view name) {
  const Value* bounds = options.find(name);
  if (bounds == nullptr) return {};
  return {bounds->member("min"), bounds->member("max")};
}

std::string complaint_about_range(const Object& options) {
  return complaint_about_bounds(options, "range");
}

std::string in_range(const Object& options, double number) {
  const Bounds range = bounds_of(options, "range");
  if (range.min.is_number() && number < range.min.number()) {
    return "The value is lesser than the minimum.";
  }
  if (range.max.is_number() && number > range.max.number()) {
    return "The value is greater than the maximum.";
  }
  return {};
}

std::string numeric(const Object& options, const Value& value, Instant) {
  if (!value.is_number()) return "The field must be a number.";
  return in_range(options, value.number());
}

std::string integer(const Object& options, const Value& value, Instant) {
  if (!value.is_number() || std::trunc(value.number()) != value.number()) {
    return "The field must be an integer";
  }
  return in_range(options, value.number());
}

std::string boolean(const Object&, const Value& value, Instant) {
  return value.is(Kind::boolean) ? std::string() : "The field must be of type boolean.";
}

// --- texts ---

std::string complaint_about_length(const Object& options) {
  return complaint_about_bounds(options, "length");
}

// In the units of UTF-16, as clients count.
double length_of(std::string_view text) {
  double units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) != 0x80U) units += byte >= 0xf0U ? 2 : 1;
  }
  return units;
}

std::string text(const Object& options, const Value& value, Instant) {
  if (!value.is(Kind::text)) return no_text;
  const Bounds length = bounds_of(options, "length");
  const double is = length_of(value.text());
  const auto wrong = [&](std::string_view which, const Value& bound) {
    return fmt::format("Invalid string length. Expected {}: {}. Received: {} (\"{}\")", which,
                       render_json(bound), is, value.text());
  };
  if (length.min.is_number() && is < length.min.number()) return wrong("min", length.min);
  if (length.max.is_number() && is > length.max.number()) return wrong("max", length.max);
  return {};
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

bool has_text(const Array& texts, const std::string& wanted) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const Value& one) { return one.text() == wanted; });
}

std::string options_error(const Object& options) {
  const Value* values = options.find("values");
  if (values == nullptr) {
    return "The \"enum\" type requires a \"values\" property holding the list of the enum values.";
  }
  return are_texts(values) ? std::string() : wrong_option("values", "string[]");
}

std::string one_of(const Object& options, const Value& value, Instant) {
  if (!value.is(Kind::text)) return no_text;
  const Array& values = options.find("values")->array();
  if (has_text(values, value.text())) return {};
  return fmt::format("The field only accepts following values: \"{}\".", joined(values));
}

std::string complaint_about_empty(const Object& options) {
  const Value* not_empty = options.find("notEmpty");
  if (not_empty == nullptr || not_empty->is(Kind::boolean)) return {};
  return wrong_option("notEmpty", "boolean");
}

std::string looks_like(bool (*is)(std::string_view), const char* otherwise, const Object& options,
                       const Value& value) {
  if (!value.is(Kind::text)) return no_text;
  const Value* not_empty = options.find("notEmpty");
  if (value.text().empty()) {
    const bool may_be_empty = not_empty == nullptr || !not_empty->is_true();
    return may_be_empty ? "" : "The string must not be empty.";
  }
  return is(value.text()) ? "" : otherwise;
}

std::string email(const Object& options, const Value& value, Instant) {
  return looks_like(is_email, "The string must be a valid email address.", options, value);
}
std::string ip_address(const Object& options, const Value& value, Instant) {
  return looks_like(is_ip_address, "The string must be a valid IP address.", options, value);
}
std::string url(const Object& options, const Value& value, Instant) {
  return looks_like(is_url, "The string must be a valid URL.", options, value);
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

std::string date(const Object& options, const Value& value, Instant now) {
  std::optional<Instant> at;
  if (const Value* formats = options.find("formats")) {
    for (const Value& format : formats->array()) {
      if (!at) at = parse_dated(format.text(), value, now);
    }
  } else {
    at = parse_dated("epoch_millis", value, now);
  }
  if (!at) return "The date format is not valid.";
  const Bounds range = bounds_of(options, "range");
  const auto min = bound_of(range.min, now);
  const auto max = bound_of(range.max, now);
  if (min && *at < *min) return "The provided date is before the defined minimum.";
  if (max && *max < *at) return "The provided date is after the defined maximum.";
  return {};
}

// --- places ---

std::string geo_point(const Object&, const Value& value, Instant) {
  return koncorde::is_point(value) ? "" : "Invalid GeoPoint format";
}

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

std::string geo_shape(const Object& options, const Value& value, Instant) {
  if (!value.is(Kind::object)) return "The shape object has no type defined.";
  const Value* types = options.find("shapeTypes");
  return complaint_about_shape(types != nullptr ? types->array() : Array(), value);
}

// --- objects ---

std::string complaint_about_strict(const Object& options) {
  const Value* strict = options.find("strict");
  if (strict == nullptr || strict->is(Kind::boolean)) return {};
  return wrong_option("strict", "boolean");
}

std::string object(const Object&, const Value& value, Instant) {
  return value.is(Kind::object) ? "" : "The value must be an object.";
}

constexpr FieldType types[] = {
    {"anything", {}, nullptr, nullptr},
    {"boolean", {}, nullptr, boolean},
    {"date", {"range", "formats"}, complaint_about_dates, date},
    {"email", {"notEmpty"}, complaint_about_empty, email},
    {"enum", {"values"}, options_error, one_of},
    {"geo_point", {}, nullptr, geo_point},
    {"geo_shape", {"shapeTypes"}, complaint_about_shapes, geo_shape},
    {"integer", {"range"}, complaint_about_range, integer},
    {"ip_address", {"notEmpty"}, complaint_about_empty, ip_address},
    {"numeric", {"range"}, complaint_about_range, numeric},
    {"object", {"strict"}, complaint_about_strict, object, true},
    {"string", {"length"}, complaint_about_length, text},
    {"url", {"notEmpty"}, complaint_about_empty, url},
};

}  // namespace

const FieldType* find_type(std::string_view name) {
  for (const FieldType& type : types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace mayfly::kuzzle::specifications
