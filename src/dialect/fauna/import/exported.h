// A document as the service's exports have it, in JSON:
//
//   tagged := {"@doc": {"id": text, "coll": {"@mod": name}, "ts": {"@time": text}, member…}}
//   simple := {"id": text, "coll": name, "ts": text, member…}
//   member := "ttl": time | "data": {field…} | field
//
// `data` holds the fields whose names documents keep for themselves. Simple values have lost their
// types: the schema's types give them back (typed.h).
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

// `json` as parse_wire_json() gives it. Fails with invalid: what is wrong with the document.
Result<ExportedDocument> read_exported(const FqlValue& json);

// Its fields as they are stored, without those that the collection computes. References may lead
// to what is not there. Fails with invalid.
Result<FqlObject> exported_fields(const ExportedDocument& document,
                                  const CollectionDefinition& definition, const FieldTypes& types);

}  // namespace mayfly::fauna
