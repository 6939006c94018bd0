#include "dialect/kuzzle/memory/commands/cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

namespace mayfly::kuzzle::memory {
namespace {

constexpr int bits_per_axis = 26;
constexpr double steps_per_axis = 1 << bits_per_axis;
constexpr double longitude_max = 180;
constexpr double latitude_max =
    85.05112878;  // the bound at which the Mercator projection is square
constexpr double geohash_latitude_max = 90;
constexpr double earth_radius = 6372797.560856;  // metres

// The step from -max to max that contains the degree.
std::uint64_t step_of(double degree, double max) {
  const double share = (degree + max) / (2 * max);
  return static_cast<std::uint64_t>(std::min(share * steps_per_axis, steps_per_axis - 1));
}

// The beginning of the step, computed as in Redis, so that the last digit is equal.
double begin_of_step(double step, double max) {
  return -max + (step / steps_per_axis) * (2 * max);
}

double middle_of_step(std::uint64_t step, double max) {
  const double begin = begin_of_step(static_cast<double>(step), max);
  const double end = begin_of_step(static_cast<double>(step + 1), max);
  return std::clamp((begin + end) / 2, -max, max);
}

std::uint64_t interleaved(std::uint64_t latitude, std::uint64_t longitude) {
  std::uint64_t cell = 0;
  for (int bit = 0; bit < bits_per_axis; ++bit) {
    cell |= ((latitude >> bit) & 1) << (2 * bit);
    cell |= ((longitude >> bit) & 1) << (2 * bit + 1);
  }
  return cell;
}

// Every second bit from this one on.
std::uint64_t axis_in(std::uint64_t cell, int first) {
  std::uint64_t axis = 0;
  for (int bit = 0; bit < bits_per_axis; ++bit) axis |= ((cell >> (2 * bit + first)) & 1) << bit;
  return axis;
}

double radians(double degree) {
  return degree * std::numbers::pi / 180;
}

struct LengthUnit {
  std::string_view name;
  double metres;
};
constexpr LengthUnit units[] = {{"m", 1}, {"km", 1'000}, {"ft", 0.3048}, {"mi", 1609.34}};

}  // namespace

bool has_cell(const GeoCoordinates& position) {
  return std::abs(position.longitude) <= longitude_max &&
         std::abs(position.latitude) <= latitude_max;
}

std::uint64_t cell_of(const GeoCoordinates& position) {
  return interleaved(step_of(position.latitude, latitude_max),
                     step_of(position.longitude, longitude_max));
}

GeoCoordinates middle_of(std::uint64_t cell) {
  return {.longitude = middle_of_step(axis_in(cell, 1), longitude_max),
          .latitude = middle_of_step(axis_in(cell, 0), latitude_max)};
}

std::string geohash_of(std::uint64_t cell) {
  constexpr std::string_view alphabet = "0123456789bcdefghjkmnpqrstuvwxyz";
  constexpr int bits_per_character = 5;
  constexpr int whole_characters = 2 * bits_per_axis / bits_per_character;
  const GeoCoordinates middle = middle_of(cell);
  const std::uint64_t standard = interleaved(step_of(middle.latitude, geohash_latitude_max),
                                             step_of(middle.longitude, longitude_max));
  std::string hash;
  for (int i = 1; i <= whole_characters; ++i) {
    hash += alphabet[(standard >> (2 * bits_per_axis - i * bits_per_character)) & 31];
  }
  return hash + '0';  // Redis does not show the two remaining bits
}

double distance_between(const GeoCoordinates& a, const GeoCoordinates& b) {
  const double half_latitude = std::sin(radians(b.latitude - a.latitude) / 2);
  const double half_longitude = std::sin(radians(b.longitude - a.longitude) / 2);
  const double square = half_latitude * half_latitude + std::cos(radians(a.latitude)) *
                                                            std::cos(radians(b.latitude)) *
                                                            half_longitude * half_longitude;
  return 2 * earth_radius * std::asin(std::sqrt(std::min(square, 1.0)));
}

std::optional<double> metres_in(const std::string& unit) {
  for (const LengthUnit& row : units) {
    if (row.name == unit) return row.metres;
  }
  return std::nullopt;
}

}  // namespace mayfly::kuzzle::memory
