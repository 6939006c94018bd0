// Properties: a structure's declarations of the fields of its records, and the validation of data
// by them. A property is a Shape; its options are its definition, for what a shape does not
// express.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/centrali/call.h"
#include "dialect/common/shape.h"

namespace mayfly::centrali {

// What happens to a record when the one it refers to is deleted.
enum class OnDelete { nothing, restricted, cascade, emptied };

bool is_unique(const Shape& property);
bool is_immutable(const Shape& property);
bool is_reference(const Shape& property);
// Whether its values are texts.
bool is_textual(const Shape& property);
// The name of the structure that a reference leads to; empty: any.
std::string target_name(const Shape& property);
OnDelete on_delete(const Shape& property);

// Null if there is none of that name.
const ShapeType* find_property_type(std::string_view name);

// Parses the property definitions of a structure. Fails with invalid; `details` gets each reason.
Result<std::vector<Shape>> parse_properties(const Value& definitions, std::vector<Detail>& details);

// Adds each error of the data to `details`. An object whose property lists no properties may hold
// anything. Fails as the meter.
Result<void> validate(const Value& data, const Shape& shape, Extent extent,
                      std::vector<Detail>& details, Meter& meter);

}  // namespace mayfly::centrali
