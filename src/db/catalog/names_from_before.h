// NameFromBefore: a name that any user can choose, under which earlier versions kept a dialect's
// own data (Database::move_names_from_before).
#pragma once

#include <string_view>

namespace mayfly {

struct NameFromBefore {
  std::string_view name;
  std::string_view to;  // REACHES DISK: its new internal name; a number is appended if it is taken
  // For collections in any database: the facet that identifies those made by the dialect. A user's
  // collection of that name stays. Empty: the name is that of a database.
  std::string_view facet = {};
};

}  // namespace mayfly
