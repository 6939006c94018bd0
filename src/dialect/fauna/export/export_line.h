// Renders a document as a line of an export, in the tagged form of import/exported.h:
//
//   {"@doc": {"id": text, "coll": {"@mod": name}, "ts": time, "ttl": time?, field…, "data": {…}?}}
//
// `data` holds the fields with reserved names. An id within a field is {"@id": text}, which the
// tagged format for clients would render as a text.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "db/rows/document.h"

namespace mayfly::fauna {

// Without the line break. Fails with invalid if no import would accept it; the message is the
// reason.
Result<std::string> export_line(std::string_view collection, const Document& document);

}  // namespace mayfly::fauna
