#include "dialect/kuzzle/mappings/value_shapes.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace mayfly::kuzzle {
namespace {

constexpr double pole_latitude = 90;
constexpr double antimeridian = 180;
constexpr std::size_t geohash_max = 12;
constexpr std::string_view geohash_letters = "0123456789bcdefghjkmnpqrstuvwxyz";
constexpr std::string_view geo_types[] = {"point",      "linestring",      "polygon",
                                          "multipoint", "multilinestring", "multipolygon",
                                          "envelope",   "circle",          "bbox"};
constexpr std::string_view collection_type = "geometrycollection";

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return lower;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<double> number_in(std::string_view text) {
  text = without_blanks(text);
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> number_of(const Value& value) {
  if (value.is_number()) return value.number();
  return value.is(Kind::text) ? number_in(value.text()) : std::nullopt;
}

bool is_place(std::optional<double> latitude, std::optional<double> longitude) {
  return latitude && longitude && std::abs(*latitude) <= pole_latitude &&
         std::abs(*longitude) <= antimeridian;
}

bool is_geohash(std::string_view text) {
  return !text.empty() && text.size() <= geohash_max &&
         in_lower_case(text).find_first_not_of(geohash_letters) == std::string::npos;
}

// "POINT (30 10)".
bool is_wkt_point(std::string_view text) {
  std::string lower = in_lower_case(without_blanks(text));
  if (!lower.starts_with("point") || !lower.ends_with(')')) return false;
  const std::size_t open = lower.find('(');
  if (open == std::string::npos) return false;
  const std::string_view within =
      without_blanks(std::string_view(lower).substr(open + 1, lower.size() - open - 2));
  const std::size_t blank = within.find(' ');
  if (blank == std::string_view::npos) return false;
  return is_place(number_in(within.substr(blank)), number_in(within.substr(0, blank)));
}

bool is_point_text(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return is_geohash(text) || is_wkt_point(text);
  const std::string_view whole = text;
  return is_place(number_in(whole.substr(0, comma)), number_in(whole.substr(comma + 1)));
}

// [lon, lat], optionally with a height.
bool is_point_array(const Array& items) {
  if (items.size() != 2 && items.size() != 3) return false;
  const bool all_numbers =
      std::all_of(items.begin(), items.end(), [](const Value& item) { return item.is_number(); });
  return all_numbers && is_place(items[1].number(), items[0].number());
}

// Positions in arrays nested to any depth; every branch ends in one.
bool are_coordinates(const Value& value) {
  if (!value.is(Kind::array) || value.array().empty()) return false;
  const Array& items = value.array();
  if (items.front().is_number()) return is_point_array(items);
  return std::all_of(items.begin(), items.end(), are_coordinates);
}

bool is_one_of_shapes(std::string_view type) {
  return std::find(std::begin(geo_types), std::end(geo_types), type) != std::end(geo_types);
}

bool is_geo_object(const Value& value) {
  const Value named = value.member("type");
  if (!named.is(Kind::text)) return false;
  const std::string type = in_lower_case(named.text());
  if (type != collection_type) {
    if (type == "circle" && value.member("radius").is_missing()) return false;
    return is_one_of_shapes(type) && are_coordinates(value.member("coordinates"));
  }
  const Value parts = value.member("geometries");
  return parts.is(Kind::array) &&
         std::all_of(parts.array().begin(), parts.array().end(), is_geo_object);
}

bool is_shape_text(const std::string& text) {
  const std::string lower = in_lower_case(without_blanks(text));
  const std::size_t open = lower.find('(');
  if (open == std::string::npos || !lower.ends_with(')')) return false;
  const std::string type(without_blanks(std::string_view(lower).substr(0, open)));
  return is_one_of_shapes(type) || type == collection_type;
}

bool is_ip_text(const std::string& text) {
  if (text.find('\0') != std::string::npos) return false;  // inet_pton() would stop there
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET, text.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

}  // namespace

bool is_ip(const Value& value) {
  return value.is(Kind::text) && is_ip_text(value.text());
}

bool is_geo_point(const Value& value) {
  if (value.is(Kind::text)) return is_point_text(value.text());
  if (value.is(Kind::array)) return is_point_array(value.array());
  if (!value.is(Kind::object)) return false;
  const Value type = value.member("type");
  if (type.is(Kind::text) && in_lower_case(type.text()) == "point") {
    const Value coordinates = value.member("coordinates");
    return coordinates.is(Kind::array) && is_point_array(coordinates.array());
  }
  return is_place(number_of(value.member("lat")), number_of(value.member("lon")));
}

bool is_geo_shape(const Value& value) {
  if (value.is(Kind::text)) return is_shape_text(value.text());
  return value.is(Kind::object) && is_geo_object(value);
}

bool is_range(const Value& value, FitsBound fits) {
  if (!value.is(Kind::object)) return false;
  std::optional<double> least, greatest;
  for (const auto& [name, bound] : value.object()) {
    const bool is_lower = name == "gt" || name == "gte";
    if (!is_lower && name != "lt" && name != "lte") return false;
    if (bound.is_null()) continue;
    if (!fits(bound)) return false;
    if (bound.is_number()) (is_lower ? least : greatest) = bound.number();
  }
  return !least || !greatest || *least <= *greatest;
}

bool is_ip_range(const Value& value) {
  if (!value.is(Kind::text)) return is_range(value, is_ip);
  const std::string& text = value.text();
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return false;
  const std::string address = text.substr(0, slash);
  const double bits_max = address.find(':') == std::string::npos ? 32 : 128;
  const auto bits = number_in(std::string_view(text).substr(slash + 1));
  return is_ip_text(address) && bits && *bits >= 0 && *bits <= bits_max &&
         *bits == std::trunc(*bits);
}

}  // namespace mayfly::kuzzle
