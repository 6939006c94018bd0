// The types that a field of a specification may have. Everything wrong is told as a sentence, in
// Kuzzle's words.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "value/value.h"

namespace mayfly::kuzzle::specifications {

struct FieldType {
  std::string_view name;
  std::array<std::string_view, 2> options;  // of `typeOptions`
  // What is wrong with the options; empty: nothing. Null: all that is known of them is their names.
  std::string (*complaint_about_options)(const Object& options);
  // What is wrong with a value, which is not null; empty: nothing. Null: there is no wrong one.
  std::string (*complaint)(const Object& options, const Value& value, Instant now);
  bool has_children = false;
};

// Null pointer where there is no such type.
const FieldType* find_type(std::string_view name);

}  // namespace mayfly::kuzzle::specifications
