// Mapping: the types of a collection's fields, as its clients have set them:
//   {"properties": {"name": {"type": "keyword"}, "user": {"properties": {…}}}}
// A field that it does not name is dynamic: a text is then searched by words and, as `.keyword`, as
// a whole; numbers, booleans and dates have the type that they have in each document.
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
  text,     // searched by words
  keyword,  // the whole value
  number,   // numeric texts count as numbers
  boolean,
  date,    // milliseconds since 1970, from numbers and ISO 8601 texts
  object,  // has fields of its own
  other    // compared as a whole
};

struct MappedField {
  FieldType type = FieldType::dynamic;
  std::vector<std::string> path;  // in the body; without the name of a sub-field
  // The fields with `copy_to` this one: it has their values, too.
  std::vector<std::vector<std::string>> copied_from = {};
};

class Mapping {
 public:
  Mapping() = default;  // everything is dynamic

  // Parses the object with `properties`; missing and null are an empty mapping. Unknown types are
  // `other`. Fails with invalid, naming the field, or too_large.
  static Result<Mapping> parse(const Value& mapping);

  // Finds a dotted name. `name.keyword` is the whole value of a dynamic field; a sub-field of a
  // mapped one has its own type. With `dynamic: false`, names that an object does not map are
  // fields of no document.
  MappedField find(std::string_view name) const;
  // The same mapping with the fields that `dynamic: false` hides.
  Mapping with_all_shown() const;
  // The approximate memory that it takes.
  std::size_t bytes() const;

 private:
  void read_dynamic(const Value& object, const std::string& name);
  bool is_hidden(std::string_view name) const;
  MappedField find_alone(std::string_view name) const;
  Result<void> read_copies(const Value& field, const std::string& name);
  Result<void> add(const Value& properties, const std::string& prefix, std::size_t depth);

  std::map<std::string, FieldType, std::less<>> fields_;      // by dotted name
  std::map<std::string, FieldType, std::less<>> sub_fields_;  // name.sub
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>>
      copies_;                    // by the name of the field that they are copied to
  std::size_t copied_bytes_ = 0;  // of their names
  // By the dotted name of an object (empty: the document), if it has `dynamic`.
  std::map<std::string, bool, std::less<>> hides_others_;
};

}  // namespace mayfly::kuzzle::search
