// A document as a line of an export, in the tagged form of import/exported.h:
//
//   {"@doc": {"id": text, "coll": {"@mod": name}, "ts": time, "ttl": time?, field…, "data": {…}?}}
//
// `data` holds the fields whose names documents keep for themselves. An id within a field is
// {"@id": text}: the tagged format for clients makes a text of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "db/rows/document.h"

namespace mayfly::fauna {

// Without its end. Fails with invalid where no import takes it: the message is the reason.
Result<std::string> export_line(std::string_view collection, const Document& document);

}  // namespace mayfly::fauna
