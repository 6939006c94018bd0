#include "dialect/kuzzle/specifications/fields/shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/kuzzle/koncorde/places.h"
#include "dialect/kuzzle/specifications/limits.h"
#include "value/order/order.h"

namespace mayfly::kuzzle::specifications {
namespace {

constexpr std::string_view known_members[] = {"type", "coordinates", "radius", "orientation",
                                              "geometries"};
constexpr std::string_view orientations[] = {"right", "ccw", "counterclockwise",
                                             "left",  "cw",  "clockwise"};

bool is_array_of(const Value& value, std::size_t items_min, bool (*is)(const Value&)) {
  return value.is(Kind::array) && value.array().size() >= items_min &&
         std::all_of(value.array().begin(), value.array().end(), is);
}

// Longitude before latitude.
bool is_position(const Value& value) {
  constexpr double lon_max = 180;
  constexpr double lat_max = 90;
  if (!value.is(Kind::array) || value.array().size() != 2) return false;
  const Value& lon = value.array()[0];
  const Value& lat = value.array()[1];
  const auto is_within = [](const Value& x, double most) {
    return x.is_number() && x.number() >= -most && x.number() <= most;
  };
  return is_within(lon, lon_max) && is_within(lat, lat_max);
}
bool is_line(const Value& value) {
  return is_array_of(value, 2, is_position);
}
bool is_ring(const Value& value) {
  constexpr std::size_t positions_min = 4;
  return is_array_of(value, positions_min, is_position) &&
         same(value.array().front(), value.array().back());
}
bool is_polygon(const Value& value) {
  return is_array_of(value, 0, is_ring);
}
bool is_envelope(const Value& value) {
  return is_line(value) && value.array().size() == 2;
}

struct GeoShapeType {
  std::string_view name;
  bool (*are_coordinates)(const Value&);  // null: no coordinates
  bool is_several = false;                // an array of them
};
constexpr GeoShapeType shape_types[] = {{"point", is_position},
                                        {"linestring", is_line},
                                        {"polygon", is_polygon},
                                        {"multipoint", is_position, true},
                                        {"multilinestring", is_line, true},
                                        {"multipolygon", is_polygon, true},
                                        {"geometrycollection", nullptr},
                                        {"envelope", is_envelope},
                                        {"circle", is_position}};

const GeoShapeType* find_shape_type(std::string_view name) {
  for (const GeoShapeType& type : shape_types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

template <std::size_t n>
bool is_among(std::string_view name, const std::string_view (&names)[n]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_allowed(const Array& allowed, std::string_view type) {
  return allowed.empty() || std::any_of(allowed.begin(), allowed.end(), [&](const Value& one) {
           return one.is(Kind::text) && one.text() == type;
         });
}

// The members that a shape of that type has, and those that it must not have.
std::string complaint_about_members(const GeoShapeType& type, const Value& shape) {
  struct Claim {
    std::string_view member;
    bool is_selected;
    bool may_lack;
  };
  const bool is_collection = type.are_coordinates == nullptr;
  const bool has_sides = type.are_coordinates == is_polygon;
  const Claim claims[] = {{"coordinates", !is_collection, false},
                          {"radius", type.name == "circle", false},
                          {"orientation", has_sides, true},
                          {"geometries", is_collection, false}};
  for (const auto& [member, is_selected, may_lack] : claims) {
    const bool is_there = !shape.member(member).is_missing();
    if (is_there && !is_selected) {
      return fmt::format("The {} property must not be provided for the \"{}\" shape type.", member,
                         type.name);
    }
    if (!is_there && is_selected && !may_lack) {
      return fmt::format("The {} property must be provided for the \"{}\" shape type.", member,
                         type.name);
    }
  }
  return {};
}

std::string complaint_about_values(const GeoShapeType& type, const Value& shape) {
  const Value orientation = shape.member("orientation");
  const bool has_bad_side =
      !orientation.is_missing() &&
      !(orientation.is(Kind::text) && is_among(orientation.text(), orientations));
  if (has_bad_side) return "The orientation property has not a valid value.";
  const Value radius = shape.member("radius");
  if (!radius.is_missing() && !koncorde::is_distance(radius)) {
    return "The radius property has not a valid format.";
  }
  if (type.are_coordinates == nullptr) return {};
  const Value coordinates = shape.member("coordinates");
  if (type.is_several) {
    if (is_array_of(coordinates, 0, type.are_coordinates)) return {};
    return fmt::format("One of the shapes in  the shape type \"{}\" has bad coordinates.",
                       type.name);
  }
  if (type.are_coordinates(coordinates)) return {};
  return fmt::format("The shape type \"{}\" has bad coordinates.", type.name);
}

std::string complain(const Array& allowed, const Value& shape, std::size_t depth) {
  const Value name = shape.member("type");
  if (!name.is(Kind::text)) return "The shape object has no type defined.";
  for (const auto& [member, value] : shape.object()) {
    if (!is_among(member, known_members)) return "The shape object has a not allowed property.";
  }
  const GeoShapeType* type = find_shape_type(name.text());
  if (type == nullptr) return fmt::format("Unrecognized shape type \"{}\"", name.text());
  if (!is_allowed(allowed, name.text())) return "The provided shape type is not allowed.";
  std::string complaint = complaint_about_members(*type, shape);
  if (complaint.empty()) complaint = complaint_about_values(*type, shape);
  if (!complaint.empty() || type->are_coordinates != nullptr) return complaint;
  const Value parts = shape.member("geometries");
  if (!parts.is(Kind::array) || depth == limits::specification_shapes_depth_max) {
    return "The geometries property has not a valid value.";
  }
  for (const Value& part : parts.array()) {
    complaint = complain(allowed, part, depth + 1);
    if (!complaint.empty()) return complaint;
  }
  return {};
}

}  // namespace

bool is_shape_type(std::string_view name) {
  return find_shape_type(name) != nullptr;
}

std::string shape_error(const Array& allowed, const Value& shape) {
  return complain(allowed, shape, 0);
}

}  // namespace mayfly::kuzzle::specifications
