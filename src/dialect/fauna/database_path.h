// Maps the tree of FQL's databases to Mayfly's databases. The root database is Mayfly's database
// `fauna`. Its child `app` is Mayfly's database `app`, so that other APIs find it by that name; a
// child of that is `app.sub`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.h"

namespace mayfly::fauna {

inline constexpr std::string_view root_database = "fauna";

// The path of a database from the root; empty: the root itself.
struct DatabasePath {
  std::vector<std::string> names = {};

  bool is_root() const { return names.empty(); }
  // The name of Mayfly's database.
  std::string core_name() const;
  DatabasePath child(std::string name) const;
  auto operator<=>(const DatabasePath&) const = default;
};

// Splits the path in a scoped secret: "a/b". An empty text gives an empty path.
std::vector<std::string> split_path(std::string_view text);
// The path of one of Mayfly's databases.
DatabasePath database_path_of(std::string_view core_name);

}  // namespace mayfly::fauna
