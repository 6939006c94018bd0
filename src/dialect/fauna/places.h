// Where the databases of FQL lie. The root database is one of Mayfly's named `fauna`; its child
// `app` is Mayfly's database `app`, so that other APIs find it by that name; a child of that is
// `app.sub`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.h"

namespace mayfly::fauna {

inline constexpr std::string_view root_database = "fauna";

// One database by its path from the root; empty: the root itself.
struct Place {
  std::vector<std::string> path = {};

  bool is_root() const { return path.empty(); }
  // Mayfly's name of it.
  std::string core_name() const;
  Place child(std::string name) const;
  auto operator<=>(const Place&) const = default;
};

// The path that a scoped secret names: "a/b". Empty text: none.
std::vector<std::string> split_path(std::string_view text);
// The place of one of Mayfly's databases.
Place place_of(std::string_view core_name);

}  // namespace mayfly::fauna
