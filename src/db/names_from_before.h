// Names that anyone can choose, under which earlier versions kept a dialect's own data.
#pragma once

#include <span>
#include <string_view>

#include "db/database.h"

namespace mayfly {

struct NameFromBefore {
  std::string_view name;
  std::string_view to;  // REACHES DISK: the internal name that it gets
  // Of collections, in whichever database: what marks those that the dialect has made; a user's of
  // that name stays. Empty: the name is that of a database.
  std::string_view facet = {};
};

// Gives all that bear such a name their internal one, with all rows. Once in a directory: later, a
// user may have made what bears such a name. A name that is taken is followed by a number.
Result<void> move_names_from_before(Database& database, std::span<const NameFromBefore> names);

}  // namespace mayfly
