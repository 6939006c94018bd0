// Reads members of a definition's document with an expected type. A member that is missing or of
// another type is read as empty.
#pragma once

#include <string>
#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

inline std::string member_text(const FqlObject& object, std::string_view name) {
  const FqlValue* member = object.find(name);
  return member != nullptr && member->is(FqlKind::text) ? member->text() : std::string();
}

inline bool member_is_true(const FqlObject& object, std::string_view name) {
  const FqlValue* member = object.find(name);
  return member != nullptr && member->is(FqlKind::boolean) && member->boolean();
}

inline const FqlObject& member_object(const FqlObject& object, std::string_view name) {
  static const FqlObject none;
  const FqlValue* member = object.find(name);
  return member != nullptr && member->is(FqlKind::object) ? member->object() : none;
}

// A single value counts as a list with one element.
inline FqlArray member_list(const FqlObject& object, std::string_view name) {
  const FqlValue* member = object.find(name);
  if (member == nullptr) return {};
  return member->is(FqlKind::array) ? member->array() : FqlArray{*member};
}

}  // namespace mayfly::fauna
