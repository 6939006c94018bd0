// Parses JSON of requests to FqlValue: numbers keep their written kind, objects their order. Tags
// are decoded by formats/tagged.h.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Whole numbers become Int or Long, others Double. Fails with invalid, with a message to follow
// "Invalid request body: "; duplicate names in an object are refused. Also fails as
// RunPermit::become_long() does, if the text is longer than limits::quickly_parsed_bytes_max.
Result<FqlValue> parse_wire_json(std::string_view text);

}  // namespace mayfly::fauna
