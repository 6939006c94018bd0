// NameFromBefore: a name that anyone can choose, under which earlier versions kept a dialect's own
// data (Database::move_names_from_before).
#pragma once

#include <string_view>

namespace mayfly {

struct NameFromBefore {
  std::string_view name;
  std::string_view to;  // REACHES DISK: the internal name that it gets; a number ends one taken
  // Of collections, in whichever database: what marks those that the dialect has made; a user's of
  // that name stays. Empty: the name is that of a database.
  std::string_view facet = {};
};

}  // namespace mayfly
