// Shapes on the Earth, as values of the type geo_shape write them.
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly::kuzzle::specifications {

bool is_shape_type(std::string_view name);

// What is wrong with a shape; empty where nothing is. `allowed`: the types it may have; an empty
// array: all.
std::string complaint_about_shape(const Array& allowed, const Value& shape);

}  // namespace mayfly::kuzzle::specifications
