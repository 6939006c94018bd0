// Restores values from the simple format, in which times, dates, bytes, ids and numbers that are
// not finite are texts. The types of the schema tell what a text stands for.
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
  // Null if the field has no type.
  const Type* of(std::string_view field) const;

 private:
  std::map<std::string, TypePtr, std::less<>> types_;
  std::vector<SourcePtr> sources_;  // the sources that the types point into
};

// The value of the JSON if it has that type; null: any type. An object with only `id` and `coll` is
// a reference. A value that does not fit the type is returned unchanged; later checks refuse it.
FqlValue typed(const FqlValue& json, const Type* type);

}  // namespace mayfly::fauna
