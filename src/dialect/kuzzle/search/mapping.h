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
  // The fields that are copied to it (`copy_to`): it has their values, too.
  std::vector<std::vector<std::string>> copied_from = {};
};

class Mapping {
 public:
  Mapping() = default;  // everything is dynamic

  // Of the object with `properties`, or of nothing (missing, null). Unknown types are `other`.
  // Fails with invalid, naming the field, or too_large.
  static Result<Mapping> parse(const Value& mapping);

  // Of a dotted name. `name.keyword` is the whole of a dynamic field, and so is every sub-field of
  // a mapped one what its type says.
  // With `dynamic: false`, what an object does not name is no field of any document.
  MappedField find(std::string_view name) const;
  // The same without what `dynamic` hides.
  Mapping with_all_shown() const;
  // About how much memory it takes.
  std::size_t bytes() const;

 private:
  void note_dynamic(const Value& object, const std::string& name);
  bool is_hidden(std::string_view name) const;
  MappedField find_alone(std::string_view name) const;
  Result<void> note_copies(const Value& field, const std::string& name);
  Result<void> add(const Value& properties, const std::string& prefix, std::size_t depth);

  std::map<std::string, FieldType, std::less<>> fields_;      // by dotted name
  std::map<std::string, FieldType, std::less<>> sub_fields_;  // name.sub
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>>
      copies_;                    // by the name of the field that they go to
  std::size_t copied_bytes_ = 0;  // of their names
  // By the dotted name of an object (empty: the document), where it says so.
  std::map<std::string, bool, std::less<>> hides_others_;
};

}  // namespace mayfly::kuzzle::search
