// The types that a field of a specification may have. Everything wrong is told as a sentence, in
// Kuzzle's words.
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
  // What is wrong with the options; empty: nothing. Null: all that is known of them is their names.
  std::string (*complaint_about_options)(const Object& options) = nullptr;
  bool has_children = false;
};

// Null pointer where there is no such type.
const FieldType* find_type(std::string_view name);

// What one value of the type must be.
FieldShape shape_of(const FieldType& type, Object options);
// What several values must be, each of that shape.
FieldShape several_of(FieldShape one, FieldShape::Range count);

std::string words_of(const Misfit& misfit);

}  // namespace mayfly::kuzzle::specifications
