// How far apart things lie on the WGS-84 ellipsoid. For geo.cc, which knows whether they touch.
#pragma once

#include <vector>

namespace mayfly::geo {

// In degrees.
struct Position {
  double longitude;
  double latitude;
};
// The corners of a line or a ring in turn, joined by geodesics; or one position.
using Course = std::vector<Position>;

// The least distance in metres between two outlines that do not cross, each of one course at least.
// Exact to a millimetre for each pair of a corner and an edge; of very many pairs those are looked
// at that a quicker measure finds nearest.
double distance_between(const std::vector<Course>& a, const std::vector<Course>& b);

}  // namespace mayfly::geo
