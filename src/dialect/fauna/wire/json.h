// JSON that arrives, as FqlValue: numbers as they are written, objects as they stand. What tags in
// it mean is formats/tagged.h's.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Whole numbers become Int or Long, others Double. Fails with invalid, in words that follow
// "Invalid request body: "; a name that stands twice in one object is refused. Fails as RunPermit
// does, too.
Result<FqlValue> parse_wire_json(std::string_view text);

}  // namespace mayfly::fauna
