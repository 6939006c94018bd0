// The routes: one row for each path. Paths are compared as they were sent, without decoding.
#pragma once

#include <span>
#include <string_view>

#include "dialect/common/requests/route.h"
#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/query.h"

namespace mayfly::fauna {

// Without a method, the action checks the method itself. A route with the effect `admin` needs a
// secret of the role admin. Any secret may use the others; its role decides what they may do.
struct PathRoute : RouteColumns {
  net::Response (*answer)(const net::Request& request, const SharedServices& shared,
                          const Principal& principal);
  std::string_view unauthenticated;  // the message for an unknown secret
};
std::span<const PathRoute> path_routes();

// Whether the row is for that path. A pattern with a final `/` is for all paths below it.
inline bool is_for_path(const RouteColumns& row, std::string_view path) {
  return row.pattern.ends_with('/') ? path.starts_with(row.pattern) : path == row.pattern;
}

}  // namespace mayfly::fauna
