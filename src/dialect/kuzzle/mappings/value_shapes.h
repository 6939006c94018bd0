// The values that Elasticsearch accepts for types other than number, text and date.
#pragma once

#include <string_view>

#include "value/value.h"

namespace mayfly::kuzzle {

// An address of IPv4 or IPv6, as a text.
bool is_ip(const Value& value);
// {"lat", "lon"}, "lat,lon", [lon, lat], a geohash, a point of GeoJSON or WKT.
bool is_geo_point(const Value& value);
// GeoJSON, with a circle and an envelope besides, or WKT.
bool is_geo_shape(const Value& value);
// {"gte": 1, "lt": 5}. Each bound satisfies `fits`, and a lower number is not above the upper one.
using FitsBound = bool (*)(const Value& bound);
bool is_range(const Value& value, FitsBound fits);
// Such a range, or a text with an address and the length of its prefix: "10.0.0.0/8".
bool is_ip_range(const Value& value);

}  // namespace mayfly::kuzzle
