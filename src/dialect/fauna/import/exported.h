// Parses a document in the JSON form of the service's exports:
//
//   tagged := {"@doc": {"id": text, "coll": {"@mod": name}, "ts": {"@time": text}, member…}}
//   simple := {"id": text, "coll": name, "ts": text, member…}
//   member := "ttl": time | "data": {field…} | field
//
// `data` holds the fields with reserved names. Simple values have lost their types; they are
// restored from the types of the schema (typed.h).
#pragma once

#include <optional>
#include <string>

#include "dialect/fauna/import/typed.h"
#include "dialect/fauna/schema/definition.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

struct ExportedDocument {
  std::string collection;
  std::string id;
  std::optional<FqlTime> ts;
  std::optional<FqlTime> ttl;
  bool is_tagged = false;
  FqlObject members;  // `data` and the fields, still as JSON
};

// `json` comes from parse_wire_json(). Fails with invalid; the message says what is wrong.
Result<ExportedDocument> read_exported(const FqlValue& json);

// The fields in stored form, without the collection's computed fields. References may point to
// missing documents. Fails with invalid.
Result<FqlObject> exported_fields(const ExportedDocument& document,
                                  const CollectionDefinition& definition, const FieldTypes& types);

}  // namespace mayfly::fauna
