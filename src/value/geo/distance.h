// Distances on the WGS-84 ellipsoid, for geo.cc, which checks whether two shapes touch.
#pragma once

#include <vector>

namespace mayfly::geo {

// In degrees.
struct GeoPosition {
  double longitude;
  double latitude;
};
// The corners of a line or a ring in order, joined by geodesics; or a single position.
using GeodesicPath = std::vector<GeoPosition>;

// The least distance in metres between two outlines that do not cross, each with one path at least.
// Exact to a millimetre for each pair of a corner and an edge. If there are very many pairs, only
// those that a cheaper estimate ranks nearest are measured.
double distance_between(const std::vector<GeodesicPath>& a, const std::vector<GeodesicPath>& b);

}  // namespace mayfly::geo
