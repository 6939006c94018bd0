// Geometries on the Earth: points, lines and areas in GeoJSON, measured on the WGS-84 ellipsoid in
// metres. Edges are geodesics. This and distance.h are the only users of Boost.Geometry.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::geo {

// A valid geometry. Immutable, so that it is parsed once and many threads can use it.
class Shape;
using ShapePtr = std::shared_ptr<const Shape>;

struct ParsedShape {
  ShapePtr shape;      // null if the geometry is invalid
  std::string reason;  // why it is invalid; empty if it is valid
};

// Parses Point, LineString, MultiLineString, Polygon and MultiPolygon, longitude before latitude. A
// ring may run in either direction: its inside is the smaller side. An invalid geometry is not an
// error; the result then has a reason. Fails with too_large over limits::shape_points_max.
Result<ParsedShape> read_shape(const Value& geo_json);

// The shortest distance between the two, in metres; 0 if they touch.
double distance(const Shape& a, const Shape& b);
// In square metres; 0 for points and lines.
double area(const Shape& a);
// Whether all of the first is inside the second, and not only on its edge.
bool is_within(const Shape& a, const Shape& b);
// Whether they have a point in common.
bool intersects(const Shape& a, const Shape& b);

}  // namespace mayfly::geo
