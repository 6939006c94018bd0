// Places: what filters take for a place and for a distance, and the conditions that are made of
// them.
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

// {"lat": 1, "lon": 2}, [1, 2] or "1, 2", in one of its spellings.
std::optional<Point> point_of(const Value& value);
inline bool is_point(const Value& value) {
  return point_of(value).has_value();
}
// A number of metres, or a text with a unit: "10 km".
std::optional<double> metres_of(const Value& value);
inline bool is_distance(const Value& value) {
  return metres_of(value).has_value();
}

// Where a document's place lies: numbers of degrees. What is asked of one that is no place is
// missing.
struct Coordinates {
  ExprPtr lat;
  ExprPtr lon;
};
// A box whose left side lies east of its right one crosses the date line.
ExprPtr is_in_box(const Coordinates& place, Point top_left, Point bottom_right);
// From so many metres to so many.
ExprPtr is_at_distance(const Coordinates& place, Point centre, double from, double to);
ExprPtr is_in_polygon(const Coordinates& place, const std::vector<Point>& corners);

// At least three places, and not too many. Fails with invalid or too_large.
Result<std::vector<Point>> corners_of(const Value& points, const std::string& place,
                                      std::optional<Point> (*read)(const Value&));

}  // namespace mayfly::kuzzle::koncorde
