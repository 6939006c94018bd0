// What filters take for a place and for a distance, for those who check values.
#pragma once

#include "value/value.h"

namespace mayfly::kuzzle::koncorde {

// {"lat": 1, "lon": 2}, [1, 2] or "1, 2", in one of its spellings.
bool is_point(const Value& value);
// A number of metres, or a text with a unit: "10 km".
bool is_distance(const Value& value);

}  // namespace mayfly::kuzzle::koncorde
