// Geodesic formulas, and a search that evaluates them rarely.
#include "value/geo/distance.h"

#include <algorithm>
#include <boost/geometry/formulas/karney_direct.hpp>
#include <boost/geometry/formulas/karney_inverse.hpp>
#include <boost/geometry/formulas/vincenty_inverse.hpp>
#include <boost/geometry/srs/spheroid.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace mayfly::geo {
namespace {

namespace bg = boost::geometry;
constexpr double degrees_of_radian = 180 / std::numbers::pi;

struct Vector {
  double x, y, z;
};
Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
double dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double angle(const Vector& a, const Vector& b) {
  const Vector n = cross(a, b);
  return std::atan2(std::sqrt(dot(n, n)), dot(a, b));
}

struct Vertex {
  double longitude;  // radians
  double latitude;
  Vector up;                 // the vertical, of length 1
  Vector position_in_space;  // metres from the Earth's centre
};

constexpr double flattening = 1 / 298.257223563;
constexpr double squared_axis_ratio = (1 - flattening) * (1 - flattening);

Vertex vertex_at(const GeoPosition& position) {
  constexpr double equator_radius = 6'378'137;
  const double longitude = position.longitude / degrees_of_radian;
  const double latitude = position.latitude / degrees_of_radian;
  const Vector up{std::cos(latitude) * std::cos(longitude),
                  std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
  const double scale = equator_radius / std::sqrt(1 - (1 - squared_axis_ratio) * up.z * up.z);
  return {longitude, latitude, up, {scale * up.x, scale * up.y, scale * squared_axis_ratio * up.z}};
}

struct Segment {
  Vertex from;
  Vertex to;
  Vector normal;
  double angle;
};
// If two shapes do not touch, the point nearest to the other shape is a corner of one of the two.
struct Outline {
  std::vector<Vertex> vertices;
  std::vector<Segment> segments;
};

Outline outline_of(const std::vector<GeodesicPath>& paths) {
  Outline outline;
  for (const GeodesicPath& path : paths) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Vertex vertex = vertex_at(path[i]);
      if (i > 0) {
        const Vertex& from = outline.vertices.back();
        outline.segments.push_back(
            {from, vertex, cross(from.up, vertex.up), angle(from.up, vertex.up)});
      }
      outline.vertices.push_back(vertex);
    }
  }
  return outline;
}

struct Way {
  double length;
  double azimuth;
};
// Vincenty's formulas do not converge for points that are nearly opposite. Karney's do, but the
// library's version errs by metres within a nanometre of the equator.
Way way_between(double longitude, double latitude, double to_longitude, double to_latitude) {
  constexpr double nearly_opposite = -0.9998;  // the cosine of 178.9 degrees
  const bg::srs::spheroid<double> earth;
  const double cosine =
      std::sin(latitude) * std::sin(to_latitude) +
      std::cos(latitude) * std::cos(to_latitude) * std::cos(to_longitude - longitude);
  if (cosine > nearly_opposite) {
    using Vincenty = bg::formula::vincenty_inverse<double, true, true>;
    const auto way = Vincenty::apply(longitude, latitude, to_longitude, to_latitude, earth);
    return {way.distance, way.azimuth};
  }
  using Karney = bg::formula::karney_inverse<double, true, true>;
  const auto way = Karney::apply(longitude, latitude, to_longitude, to_latitude, earth);
  return {way.distance, way.azimuth};
}

// The exact distance to an edge takes a search along a geodesic, which is too slow for all pairs of
// corners and edges. So the pairs are ranked first, and only the best are measured exactly.
constexpr std::size_t ranked_max = 256;

// Edges up to some 5 km are ranked as straight lines in space, which are at most half a metre below
// the ground. Chord and ground distance grow together.
constexpr double straight_angle_max = 5.0 / 6'371;
Vector nearest_of_short(const Vertex& v, const Segment& s) {
  const Vector& from = s.from.position_in_space;
  const Vector edge = s.to.position_in_space - from;
  const double length = dot(edge, edge);
  const double at =
      length > 0 ? std::clamp(dot(v.position_in_space - from, edge) / length, 0.0, 1.0) : 0;
  return {from.x + at * edge.x, from.y + at * edge.y, from.z + at * edge.z};
}
double rank_of_short(const Vertex& v, const Segment& s) {
  const Vector way = v.position_in_space - nearest_of_short(v, s);
  return dot(way, way);
}
double distance_to_short(const Vertex& v, const Segment& s) {
  const Vector foot = nearest_of_short(v, s);
  const double latitude = std::atan2(foot.z, squared_axis_ratio * std::hypot(foot.x, foot.y));
  return way_between(v.longitude, v.latitude, std::atan2(foot.y, foot.x), latitude).length;
}

// Along an edge shorter than half the circumference, the distance to a point either falls up to the
// nearest point and rises after it, or rises and then falls, so that an end is nearest. The
// library's own search is not used: it errs for edges along the equator across the date line.
double distance_to_long(const Vertex& v, const Segment& s) {
  const bg::srs::spheroid<double> earth;
  const Way edge = way_between(s.from.longitude, s.from.latitude, s.to.longitude, s.to.latitude);
  const auto distance_at = [&](double way) {
    using Direct = bg::formula::karney_direct<double>;
    const auto position_in_space =
        Direct::apply(s.from.longitude, s.from.latitude, way, edge.azimuth, earth);
    return way_between(v.longitude, v.latitude, position_in_space.lon2, position_in_space.lat2)
        .length;
  };
  constexpr double golden = 0.6180339887498949;
  constexpr double way_exact = 1e-4;
  double low = 0;
  double high = edge.length;
  double left = high - golden * high;
  double right = golden * high;
  double at_left = distance_at(left);
  double at_right = distance_at(right);
  while (high - low > way_exact) {
    if (at_left < at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = distance_at(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = distance_at(right);
    }
  }
  return std::min({at_left, at_right, distance_at(0), distance_at(edge.length)});
}

// For longer edges: a lower bound of the distance, computed from a great circle on a sphere of the
// least radius of curvature. A geodesic deviates from it by less than a fraction of its length.
double rank_of_long(const Vertex& v, const Segment& s) {
  constexpr double least_radius = 6'335'000;
  constexpr double deviation_max = 0.0034;
  const double size = std::sqrt(dot(s.normal, s.normal));
  const bool is_beside = size > 1e-15 && dot(cross(s.normal, s.from.up), v.up) >= 0 &&
                         dot(cross(s.normal, s.to.up), v.up) <= 0;
  const double angle_to_circle =
      is_beside ? std::asin(std::min(1.0, std::abs(dot(v.up, s.normal)) / size))
                : std::min(angle(v.up, s.from.up), angle(v.up, s.to.up));
  return least_radius * (angle_to_circle - deviation_max * s.angle);
}

struct Candidate {
  double rank;
  const Vertex* vertex;
  const Segment* segment;
  bool operator<(const Candidate& other) const { return rank < other.rank; }
};

// The best candidates so far, with the worst of them on top.
class Ranking {
 public:
  void offer(const Candidate& candidate) {
    if (kept_.size() == ranked_max) {
      if (!(candidate < kept_.front())) return;
      std::pop_heap(kept_.begin(), kept_.end());
      kept_.pop_back();
    }
    kept_.push_back(candidate);
    std::push_heap(kept_.begin(), kept_.end());
  }
  const std::vector<Candidate>& sorted() {
    std::sort_heap(kept_.begin(), kept_.end());
    return kept_;
  }

 private:
  std::vector<Candidate> kept_;
};

// The least distance from a corner of the first to an edge of the second, or `best` if that is
// less.
double nearest(const Outline& from, const Outline& to, double best) {
  Ranking of_short;
  Ranking of_long;
  for (const Vertex& v : from.vertices) {
    for (const Segment& s : to.segments) {
      if (s.angle <= straight_angle_max) {
        of_short.offer({rank_of_short(v, s), &v, &s});
      } else {
        of_long.offer({rank_of_long(v, s), &v, &s});
      }
    }
  }
  for (const Candidate& c : of_short.sorted()) {
    best = std::min(best, distance_to_short(*c.vertex, *c.segment));
  }
  for (const Candidate& c : of_long.sorted()) {
    if (c.rank > best) break;
    best = std::min(best, distance_to_long(*c.vertex, *c.segment));
  }
  return best;
}

}  // namespace

double distance_between(const std::vector<GeodesicPath>& a, const std::vector<GeodesicPath>& b) {
  const Outline left = outline_of(a);
  const Outline right = outline_of(b);
  if (left.segments.empty() && right.segments.empty()) {
    const Vertex& from = left.vertices.front();
    const Vertex& to = right.vertices.front();
    return way_between(from.longitude, from.latitude, to.longitude, to.latitude).length;
  }
  const double best = nearest(left, right, std::numeric_limits<double>::infinity());
  return nearest(right, left, best);
}

}  // namespace mayfly::geo
