// Values of the simple format, in which times, dates, bytes, ids and numbers that are not finite
// are texts: the types of a schema say what a text stands for.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "dialect/fauna/schema/definition.h"
#include "dialect/fauna/syntax/types.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// The types of a collection's fields, parsed once.
class FieldTypes {
 public:
  explicit FieldTypes(const CollectionDefinition& definition);
  // Null where the field has none.
  const Type* of(std::string_view field) const;

 private:
  std::map<std::string, TypePtr, std::less<>> types_;
  std::vector<SourcePtr> sources_;  // which the types lie in
};

// What the JSON stands for where it is of that type; null: of any. An object of nothing but `id`
// and `coll` is a reference. What does not fit the type stays as it is: checks refuse it then.
FqlValue typed(const FqlValue& json, const Type* type);

}  // namespace mayfly::fauna
