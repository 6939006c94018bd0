// Positions on the earth as Redis stores them: a cell of 52 bits, which is the score of a member.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mayfly::kuzzle::memory {

// In degrees.
struct GeoCoordinates {
  double longitude = 0;
  double latitude = 0;
};

// Whether the longitude lies between -180 and 180, and the latitude between those at which cells
// are square.
bool has_cell(const GeoCoordinates& position);
// The bits of both coordinates, interleaved; each lower bit is the latitude's. Requires has_cell().
std::uint64_t cell_of(const GeoCoordinates& position);
// The middle of the cell.
GeoCoordinates middle_of(std::uint64_t cell);
// The standard geohash of the cell's middle, of 11 characters.
std::string geohash_of(std::uint64_t cell);
// In metres, on Redis's model of the earth as a sphere.
double distance_between(const GeoCoordinates& a, const GeoCoordinates& b);
// The length of the unit in metres: m, km, ft or mi.
std::optional<double> metres_in(const std::string& unit);

}  // namespace mayfly::kuzzle::memory
