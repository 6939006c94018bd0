// The keywords about geo-points: geoBoundingBox, geoDistance, geoDistanceRange, geoPolygon. A
// document's geo-point is {"lat": 1, "lon": 2}, [1, 2] or "1, 2", always latitude first.
#include "dialect/kuzzle/koncorde/places.h"

#include <cmath>
#include <optional>

#include "dialect/kuzzle/koncorde/limits.h"
#include "dialect/kuzzle/koncorde/nodes.h"
#include "expr/evaluation/evaluate.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::koncorde {
namespace {

using expr::call;
using expr::literal;

tl::unexpected<Error> wrong_place(const std::string& place, std::string_view claim) {
  return fail(Code::invalid, place + " " + std::string(claim), place);
}

std::optional<double> number(const Value& value) {
  if (value.is_number()) return value.number();
  if (!value.is(Kind::text)) return std::nullopt;
  const auto parsed = parse_json(value.text());
  return parsed && parsed->is_number() ? std::optional(parsed->number()) : std::nullopt;
}

Value either(const Value& object, std::string_view a, std::string_view b) {
  const Value first = object.member(a);
  return first.is_missing() ? object.member(b) : first;
}

}  // namespace

std::optional<Point> point_of(const Value& value) {
  Value lat;
  Value lon;
  if (value.is(Kind::object)) {
    const Value inner = either(value, "latLon", "lat_lon");
    if (!inner.is_missing() && !inner.is(Kind::object)) return point_of(inner);
    lat = either(value, "lat", "latitude");
    lon = either(value, "lon", "lng");
  } else if (value.is(Kind::array) && value.array().size() == 2) {
    lat = value.array()[0];
    lon = value.array()[1];
  } else if (value.is(Kind::text)) {
    const std::size_t comma = value.text().find(',');
    if (comma == std::string::npos) return std::nullopt;
    lat = Value(value.text().substr(0, comma));
    lon = Value(value.text().substr(comma + 1));
  }
  const auto a = number(lat);
  const auto b = number(lon);
  constexpr double lat_max = 90;
  constexpr double lon_max = 180;
  if (!a || !b || std::abs(*a) > lat_max || std::abs(*b) > lon_max) return std::nullopt;
  return Point{*a, *b};
}

namespace {

struct DistanceUnit {
  std::string_view name;
  double metres;
};
constexpr DistanceUnit distance_units[] = {
    {"m", 1},          {"meter", 1},        {"meters", 1},        {"km", 1'000},
    {"mi", 1'609.344}, {"mile", 1'609.344}, {"miles", 1'609.344}, {"ft", 0.3048},
    {"feet", 0.3048},  {"yd", 0.9144},      {"in", 0.0254},       {"nmi", 1'852},
    {"cm", 0.01},      {"mm", 0.001}};

}  // namespace

std::optional<double> metres_of(const Value& value) {
  if (value.is_number()) return value.number();
  if (!value.is(Kind::text)) return std::nullopt;
  std::string text;
  for (const char c : value.text()) {
    if (c != ' ' && c != ',') text += c;
  }
  const std::size_t end = text.find_first_not_of("0123456789.eE+-");
  const auto count = number(Value(text.substr(0, end)));
  if (!count) return std::nullopt;
  if (end == std::string::npos) return count;
  for (const DistanceUnit& unit : distance_units) {
    if (unit.name == std::string_view(text).substr(end)) return *count * unit.metres;
  }
  return std::nullopt;
}

// --- conditions ---

namespace {

ExprPtr geometry(const Coordinates& place) {
  return call("object", {literal("type"), literal("Point"), literal("coordinates"),
                         call("array", {place.lon, place.lat})});
}

Value geometry(Point point) {
  return Object{{"type", Value("Point")},
                {"coordinates", Value(Array{Value(point.lon), Value(point.lat)})}};
}

ExprPtr between(const ExprPtr& x, double from, double to) {
  return call("between", {x, literal(from), literal(to)});
}

}  // namespace

ExprPtr is_in_box(const Coordinates& place, Point top_left, Point bottom_right) {
  constexpr double date_line = 180;
  const double left = top_left.lon;
  const double right = bottom_right.lon;
  ExprPtr in_longitude = left <= right ? between(place.lon, left, right)
                                       : expr::any_of({between(place.lon, left, date_line),
                                                       between(place.lon, -date_line, right)});
  return expr::all_of(
      {between(place.lat, bottom_right.lat, top_left.lat), std::move(in_longitude)});
}

ExprPtr is_at_distance(const Coordinates& place, Point centre, double from, double to) {
  return between(call("geo_distance", {geometry(place), literal(geometry(centre))}), from, to);
}

ExprPtr is_in_polygon(const Coordinates& place, const std::vector<Point>& corners) {
  Array ring;
  for (const Point& corner : corners) {
    ring.push_back(Value(Array{Value(corner.lon), Value(corner.lat)}));
  }
  ring.push_back(ring.front());
  const Value polygon =
      Object{{"type", Value("Polygon")}, {"coordinates", Value(Array{Value(std::move(ring))})}};
  return call("geo_intersects", {geometry(place), literal(polygon)});
}

Result<std::vector<Point>> corners_of(const Value& points, const std::string& place,
                                      std::optional<Point> (*read)(const Value&)) {
  constexpr std::size_t points_min = 3;
  if (!points.is(Kind::array) || points.array().size() < points_min) {
    return wrong_place(place, "is a list of at least three places");
  }
  if (points.array().size() >= limits::koncorde_values_max) {
    return fail(Code::too_large, "there are too many points", place);
  }
  std::vector<Point> corners;
  for (const Value& value : points.array()) {
    const auto point = read(value);
    if (!point) return wrong_place(place, "is a list of places");
    corners.push_back(*point);
  }
  return corners;
}

// --- keywords ---

namespace {

ExprPtr below(const Leaf& leaf, Step step) {
  Field field;
  for (const std::string& name : leaf.path) field.path.steps.emplace_back(name);
  field.path.steps.push_back(std::move(step));
  return expr::field(std::move(field), leaf.slot);
}

// One of the two coordinates.
ExprPtr coordinate(const Leaf& leaf, bool is_lat) {
  const std::size_t position = is_lat ? 0 : 1;
  ExprPtr in_text = call("array_at", {call("split", {field_at(leaf.path, leaf.slot), literal(",")}),
                                      literal(static_cast<std::int64_t>(position))});
  ExprPtr found = call("text_to_number", {std::move(in_text)});
  found = expr::if_missing(below(leaf, position), std::move(found));
  if (!is_lat) found = expr::if_missing(below(leaf, "lng"), std::move(found));
  return expr::if_missing(below(leaf, is_lat ? "lat" : "lon"), std::move(found));
}

Coordinates coordinates_of(const Leaf& leaf) {
  return {coordinate(leaf, true), coordinate(leaf, false)};
}

Result<ExprPtr> in_box(const Leaf& leaf, const Value& box, const std::string& place) {
  std::optional<Point> top_left = point_of(either(box, "topLeft", "top_left"));
  std::optional<Point> bottom_right = point_of(either(box, "bottomRight", "bottom_right"));
  if (!top_left && !bottom_right) {
    top_left = point_of(Object{{"lat", box.member("top")}, {"lon", box.member("left")}});
    bottom_right = point_of(Object{{"lat", box.member("bottom")}, {"lon", box.member("right")}});
  }
  if (!top_left || !bottom_right) {
    return wrong_place(place, "has topLeft and bottomRight, or top, left, bottom and right");
  }
  return is_in_box(coordinates_of(leaf), *top_left, *bottom_right);
}

Result<ExprPtr> at_distance(const Leaf& leaf, const Value& body, const Value& centre, bool is_range,
                            const std::string& place) {
  const auto point = point_of(centre);
  if (!point) return wrong_place(place, "is a place");
  const auto from = is_range ? metres_of(body.member("from")) : std::optional<double>(0);
  const auto to = metres_of(body.member(is_range ? "to" : "distance"));
  if (!from || !to || !(*from <= *to))
    return wrong_place(place, "has no distance that is understood");
  return is_at_distance(coordinates_of(leaf), *point, *from, *to);
}

}  // namespace

Result<NodePtr> parse_place(std::string_view keyword, const Value& body, const std::string& place,
                            const MakeLeaf& about) {
  const bool is_box = keyword == "geoBoundingBox";
  const bool is_distance = keyword == "geoDistance";
  const bool is_range = keyword == "geoDistanceRange";
  if (!is_box && !is_distance && !is_range && keyword != "geoPolygon") return NodePtr();
  if (!body.is(Kind::object)) return wrong_place(place, "is an object");
  const Object::Member* named = nullptr;
  for (const Object::Member& member : body.object()) {
    const bool is_option = (is_distance && member.first == "distance") ||
                           (is_range && (member.first == "from" || member.first == "to"));
    if (is_option) continue;
    if (named != nullptr) return wrong_place(place, "names one field");
    named = &member;
  }
  if (named == nullptr) return wrong_place(place, "names one field");
  Leaf leaf = about(Leaf::Kind::place, named->first);
  leaf.values = {Value(keyword), body};
  const std::string inner = place + "." + named->first;
  ExprPtr condition;
  if (is_box) {
    condition = TRY(in_box(leaf, named->second, inner));
  } else if (is_distance || is_range) {
    condition = TRY(at_distance(leaf, body, named->second, is_range, inner));
  } else {
    const auto corners =
        TRY(corners_of(named->second.member("points"), inner + ".points", point_of));
    condition = is_in_polygon(coordinates_of(leaf), corners);
  }
  leaf.condition = expr::if_missing(std::move(condition), literal(false));
  return make_leaf(std::move(leaf));
}

}  // namespace mayfly::kuzzle::koncorde
