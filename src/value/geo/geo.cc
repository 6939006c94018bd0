// A simple interface to Boost.Geometry. A shape is a point, lines or areas, so that each algorithm
// is instantiated for only three kinds of operands.
#include "value/geo/geo.h"

#include <algorithm>
#include <boost/geometry.hpp>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "base/limits.h"
#include "value/geo/distance.h"

namespace mayfly::geo {
namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<double, 2, bg::cs::geographic<bg::degree>>;
using Line = bg::model::linestring<Point>;
using Lines = bg::model::multi_linestring<Line>;
using Polygon = bg::model::polygon<Point, false>;  // counter-clockwise and closed, as in GeoJSON
using Polygons = bg::model::multi_polygon<Polygon>;

}  // namespace

class Shape {
 public:
  std::variant<Point, Lines, Polygons> geometry;
};

namespace {

// Parses coordinates; keeps the first error as the reason and ignores all later ones.
class Reader {
 public:
  std::string reason;
  std::size_t points = 0;

  Point point(const Value& position) {
    const bool fits = position.is(Kind::array) && position.array().size() >= 2 &&
                      position.array()[0].is_number() && position.array()[1].is_number();
    if (!fits) {
      refuse("A position must be an array of at least two numbers.");
      return {};
    }
    ++points;
    const double longitude = position.array()[0].number();
    const double latitude = position.array()[1].number();
    if (!(std::abs(longitude) <= 180)) {
      refuse("Longitude values must be between -180 and 180 degrees.");
    }
    if (!(std::abs(latitude) <= 90)) {
      refuse("Latitude values must be between -90 and 90 degrees.");
    }
    return {longitude, latitude};
  }

  Line line(const Value& positions) {
    Line line;
    for_each(positions, [&](const Value& position) { line.push_back(point(position)); });
    const bool has_two = std::any_of(line.begin(), line.end(), [&](const Point& p) {
      return p.get<0>() != line[0].get<0>() || p.get<1>() != line[0].get<1>();
    });
    if (!has_two) refuse("A line must have at least two different positions.");
    return line;
  }

  Polygon polygon(const Value& rings) {
    Polygon polygon;
    bool is_outer = true;
    for_each(rings, [&](const Value& positions) {
      if (!is_outer) polygon.inners().emplace_back();
      auto& ring = is_outer ? polygon.outer() : polygon.inners().back();
      is_outer = false;
      for_each(positions, [&](const Value& position) { ring.push_back(point(position)); });
      if (ring.size() < 4) return refuse("A ring must have at least four positions.");
      const Point& first = ring.front();
      const Point& last = ring.back();
      if (first.get<0>() != last.get<0>() || first.get<1>() != last.get<1>()) {
        refuse("A ring must end where it begins.");
      }
    });
    if (is_outer) refuse("A polygon must have at least one ring.");
    return polygon;
  }

  template <class Visit>
  void for_each(const Value& items, Visit visit) {
    if (!items.is(Kind::array)) return refuse("Coordinates must be nested arrays of numbers.");
    for (const Value& item : items.array()) {
      if (!reason.empty() || points > limits::shape_points_max) return;
      visit(item);
    }
  }

  void refuse(std::string_view why) {
    if (reason.empty()) reason = why;
  }
};

std::string_view reason_of(bg::validity_failure_type failure) {
  switch (failure) {
    // Rings have been oriented already, if they have an orientation.
    case bg::failure_wrong_orientation:
    case bg::failure_self_intersections: return "The edges of a polygon must not cross.";
    case bg::failure_interior_rings_outside: return "A hole must lie within its outer ring.";
    case bg::failure_nested_interior_rings: return "A hole must not lie within another.";
    case bg::failure_intersecting_interiors: return "The polygons must not overlap.";
    default: return "A polygon must enclose one connected area.";
  }
}

Shape read_areas(Reader& reader, Polygons areas) {
  if (reader.reason.empty() && reader.points <= limits::shape_points_max) {
    bg::correct(areas);
    bg::validity_failure_type failure = bg::no_failure;
    if (!bg::is_valid(areas, failure)) reader.refuse(reason_of(failure));
  }
  return {std::move(areas)};
}

Shape read(Reader& reader, std::string_view type, const Value& coordinates) {
  if (type == "Point") return {reader.point(coordinates)};
  if (type == "LineString") return {Lines{reader.line(coordinates)}};
  if (type == "MultiLineString") {
    Lines lines;
    reader.for_each(coordinates, [&](const Value& one) { lines.push_back(reader.line(one)); });
    if (lines.empty()) reader.refuse("There must be at least one line.");
    return {std::move(lines)};
  }
  if (type == "Polygon") return read_areas(reader, Polygons{reader.polygon(coordinates)});
  if (type == "MultiPolygon") {
    Polygons areas;
    reader.for_each(coordinates, [&](const Value& one) { areas.push_back(reader.polygon(one)); });
    if (areas.empty()) reader.refuse("There must be at least one polygon.");
    return read_areas(reader, std::move(areas));
  }
  reader.refuse("The type must be Point, LineString, MultiLineString, Polygon or MultiPolygon.");
  return {};
}

// --- distance ---

template <class Points>
GeodesicPath path_of(const Points& points) {
  GeodesicPath course;
  for (const Point& point : points) course.push_back({point.get<0>(), point.get<1>()});
  return course;
}
std::vector<GeodesicPath> paths_of(const Point& point) {
  return {{{point.get<0>(), point.get<1>()}}};
}
std::vector<GeodesicPath> paths_of(const Lines& lines) {
  std::vector<GeodesicPath> paths;
  for (const Line& line : lines) paths.push_back(path_of(line));
  return paths;
}
std::vector<GeodesicPath> paths_of(const Polygons& areas) {
  std::vector<GeodesicPath> paths;
  for (const Polygon& area : areas) {
    paths.push_back(path_of(area.outer()));
    for (const auto& hole : area.inners()) paths.push_back(path_of(hole));
  }
  return paths;
}

// --- relations ---

struct Within {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return bg::within(a, b);
  }
  bool operator()(const Point& a, const Point& b) const { return bg::equals(a, b); }
  bool operator()(const Lines&, const Point&) const { return false; }
  bool operator()(const Polygons&, const Point&) const { return false; }
  bool operator()(const Polygons&, const Lines&) const { return false; }
};

struct Intersects {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return bg::intersects(a, b);
  }
  bool operator()(const Lines& a, const Point& b) const { return bg::intersects(b, a); }
  bool operator()(const Polygons& a, const Point& b) const { return bg::intersects(b, a); }
  bool operator()(const Polygons& a, const Lines& b) const { return bg::intersects(b, a); }
};

}  // namespace

Result<ParsedShape> read_shape(const Value& geo_json) {
  const Value type = geo_json.member("type");
  if (!type.is(Kind::text)) return ParsedShape{nullptr, "A geometry is an object with a type."};
  Reader reader;
  Shape shape = read(reader, type.text(), geo_json.member("coordinates"));
  if (reader.points > limits::shape_points_max) {
    return fail(Code::too_large, "A geometry has more than shape_points_max (" +
                                     std::to_string(limits::shape_points_max) + ") positions.");
  }
  if (!reader.reason.empty()) return ParsedShape{nullptr, std::move(reader.reason)};
  return ParsedShape{std::make_shared<const Shape>(std::move(shape)), {}};
}

double distance(const Shape& a, const Shape& b) {
  if (intersects(a, b)) return 0;
  const auto paths = [](const auto& geometry) { return paths_of(geometry); };
  return distance_between(std::visit(paths, a.geometry), std::visit(paths, b.geometry));
}

double area(const Shape& a) {
  const auto* areas = std::get_if<Polygons>(&a.geometry);
  if (areas == nullptr) return 0;
  return bg::area(*areas, bg::strategy::area::geographic<bg::strategy::karney>());
}

bool is_within(const Shape& a, const Shape& b) {
  return std::visit(Within(), a.geometry, b.geometry);
}

bool intersects(const Shape& a, const Shape& b) {
  return std::visit(Intersects(), a.geometry, b.geometry);
}

}  // namespace mayfly::geo
