// Flags that a database sets for itself and for the databases below it: `typechecked`, `protected`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "db/read/view.h"
#include "dialect/fauna/database_path.h"

namespace mayfly::fauna {

// The flag of the nearest database that sets it: the one at `database_path`, or an ancestor. False
// if none does. A database's flags are in its definition, which is a document of its parent.
Result<bool> database_flag(View& view, DatabasePath database_path, std::string_view field);

}  // namespace mayfly::fauna
