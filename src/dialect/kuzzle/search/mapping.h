// Mapping: what a collection says its fields are, as clients write it:
//   {"properties": {"name": {"type": "keyword"}, "user": {"properties": {…}}}}
// What it does not name is dynamic: a text is then both words and, as `.keyword`, a whole; numbers,
// truths and dates are what they are in each document.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly::kuzzle::search {

enum class FieldType {
  dynamic,
  text,     // its words are looked for
  keyword,  // the whole value
  number,   // texts of numbers are numbers, too
  boolean,
  date,    // milliseconds since 1970: of numbers, and of ISO 8601 texts
  object,  // has fields of its own
  other    // is compared as a whole
};

struct MappedField {
  FieldType type = FieldType::dynamic;
  std::vector<std::string> path;  // in the body; without the name of a sub-field
};

class Mapping {
 public:
  Mapping() = default;  // everything is dynamic

  // Of the object with `properties`, or of nothing (missing, null). Unknown types are `other`.
  // Fails with invalid, naming the field, or too_large.
  static Result<Mapping> parse(const Value& mapping);

  // Of a dotted name. `name.keyword` is the whole of a dynamic field, and so is every sub-field of
  // a mapped one what its type says.
  MappedField find(std::string_view name) const;

 private:
  Result<void> add(const Value& properties, const std::string& prefix, std::size_t depth);

  std::map<std::string, FieldType, std::less<>> fields_;      // by dotted name
  std::map<std::string, FieldType, std::less<>> sub_fields_;  // name.sub
};

}  // namespace mayfly::kuzzle::search
