// Geo-points and distances in filters, and the conditions made of them.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"
#include "value/value.h"

namespace mayfly::kuzzle::koncorde {

struct Point {
  double lat = 0;
  double lon = 0;
};

// Reads {"lat": 1, "lon": 2}, [1, 2] or "1, 2", with any of the accepted member names.
std::optional<Point> point_of(const Value& value);
inline bool is_point(const Value& value) {
  return point_of(value).has_value();
}
// Reads a number of metres, or a text with a unit: "10 km".
std::optional<double> metres_of(const Value& value);
inline bool is_distance(const Value& value) {
  return metres_of(value).has_value();
}

// The coordinates of a document's geo-point in degrees. A condition on a field that is no geo-point
// is missing.
struct Coordinates {
  ExprPtr lat;
  ExprPtr lon;
};
// A box whose left side lies east of its right one crosses the date line.
ExprPtr is_in_box(const Coordinates& place, Point top_left, Point bottom_right);
// Whether the distance to the centre lies between `from` and `to` metres.
ExprPtr is_at_distance(const Coordinates& place, Point centre, double from, double to);
ExprPtr is_in_polygon(const Coordinates& place, const std::vector<Point>& corners);

// At least three points, and not too many. Fails with invalid or too_large.
Result<std::vector<Point>> corners_of(const Value& points, const std::string& place,
                                      std::optional<Point> (*read)(const Value&));

}  // namespace mayfly::kuzzle::koncorde
