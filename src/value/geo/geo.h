// Places on the Earth: points, lines and areas as GeoJSON writes them, measured on the WGS-84
// ellipsoid in metres. Edges are geodesics. Together with
// distance.h the only user of Boost.Geometry.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::geo {

// A valid geometry. Immutable, so that it is read once and used by many threads.
class Shape;
using ShapePtr = std::shared_ptr<const Shape>;

struct Reading {
  ShapePtr shape;      // null where there is none
  std::string reason;  // why there is none; empty where there is
};

// Reads Point, LineString, MultiLineString, Polygon and MultiPolygon, longitude before latitude. A
// ring may run either way round: the smaller side is its inside. What is no valid geometry is not
// an error but a reason. Fails with too_large over limits::shape_points_max.
Result<Reading> read_shape(const Value& geo_json);

// The shortest way between the two, in metres; 0 where they touch.
double distance(const Shape& a, const Shape& b);
// In square metres; 0 of points and lines.
double area(const Shape& a);
// Whether all of the first lies in the second, and not only on its edge.
bool is_within(const Shape& a, const Shape& b);
// Whether they have a point in common.
bool intersects(const Shape& a, const Shape& b);

}  // namespace mayfly::geo
