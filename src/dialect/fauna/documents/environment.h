// What databases say of themselves and of those below them: `typechecked`, `protected`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "db/read/view.h"
#include "dialect/fauna/places.h"

namespace mayfly::fauna {

// What the nearest database says that says anything: the one at `place`, or one above it. False
// where none does.
Result<bool> database_says(View& view, Place place, std::string_view field);

}  // namespace mayfly::fauna
