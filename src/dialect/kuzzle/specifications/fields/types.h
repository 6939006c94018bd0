// The types of fields in a specification. Errors are sentences in Kuzzle's wording.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "dialect/common/shape.h"

namespace mayfly::kuzzle::specifications {

using FieldShape = mayfly::Shape;

struct FieldType {
  ShapeType type;
  std::array<std::string_view, 2> options;  // of `typeOptions`
  // The validation error of the options; empty: they are valid. Null: only the options' names are
  // checked.
  std::string (*check_options)(const Object& options) = nullptr;
  bool has_children = false;
};

// Null pointer if there is no such type.
const FieldType* find_type(std::string_view name);

// The shape of one value of the type.
FieldShape shape_of(const FieldType& type, Object options);
// The shape of an array of values, each of that shape.
FieldShape several_of(FieldShape one, FieldShape::MinMax count);

std::string words_of(const Violation& violation);

}  // namespace mayfly::kuzzle::specifications
