// Geo-shapes: the values of the type geo_shape.
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly::kuzzle::specifications {

bool is_shape_type(std::string_view name);

// The validation error of a shape; empty if it is valid. `allowed`: the permitted types; an empty
// array: all.
std::string shape_error(const Array& allowed, const Value& shape);

}  // namespace mayfly::kuzzle::specifications
