// Renders values as text, including the documents in them: "#{x}", toString(), string + x, log(),
// dbg().
#pragma once

#include <string>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// display_text() and debug_text() (values/text/text.h), with documents shown with their fields. The
// text counts towards the bytes that a query may make.
Result<std::string> display(Run& run, const FqlValue& value);
Result<std::string> debug(Run& run, const FqlValue& value);

}  // namespace mayfly::fauna
