// The tagged format: JSON in which every value keeps its type.
//
//   value  := null | true | false | text | [value, …] | {name: value, …} | tag
//   tag    := {"@int": "1"} | {"@long": "1"} | {"@double": "1.5"} | {"@time": "…Z"}
//           | {"@date": "2024-01-01"} | {"@bytes": base64} | {"@uuid": "…"} | {"@mod": name}
//           | {"@doc": fields} | {"@ref": reference} | {"@set": page or cursor}
//           | {"@stream": token} | {"@object": {name: value, …}} | {"@id": "1"}
//
// An object is written as "@object" if one of its names begins with `@`. "@id" is accepted and
// appears in exports (export/export_line.h), but an id in a response is a text.
#pragma once

#include <string>

#include "base/result.h"
#include "dialect/fauna/values/value.h"
#include "dialect/fauna/wire/names.h"

namespace mayfly::fauna {

// Documents and sets must be ShownDocument and ShownPage; a handle is written as a reference.
std::string encode_tagged(const FqlValue& value);
void encode_tagged(const FqlValue& value, std::string& out);

// `json` comes from parse_wire_json(). Documents become handles. Fails with invalid; the message is
// the reason that clients see: "numbers must be tagged".
Result<FqlValue> decode_tagged(const FqlValue& json, const Names& names);

}  // namespace mayfly::fauna
