// What the route tables of all dialects share: their first columns, and how a row is found by its
// path. Each decision about a request (who may send it, which thread answers it, how large its body
// may be) is a column of its row, and nothing is derived from names or paths.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "net/handler.h"
#include "net/router.h"

namespace mayfly {

// What a request does at most, in ascending order of the rights that its client needs. A dialect
// whose credentials allow everything asks only whether a route is open.
enum class RouteEffect : std::uint8_t {
  open,   // needs no credentials
  read,   // changes nothing
  write,  // changes documents, or what belongs to them
  admin,  // changes databases, collections, users or the server
};

struct RouteColumns {
  std::string_view method;
  std::string_view pattern;  // net/router.h; the dialect may add a prefix
  net::Pace pace;
  RouteEffect effect;
};

// The row that matches a request, or null. Then match.methods says which methods have a row.
template <class Route>
struct RouteMatch {
  const Route* route = nullptr;
  net::Match match = {};
};

// Finds rows of a table that outlives it. Threads: immutable after the last add(), then any.
template <class Route>
class RouteFinder {
 public:
  void add(std::string_view method, std::string_view pattern, const Route& route) {
    router_.add(method, pattern);
    routes_.push_back(&route);
  }
  RouteMatch<Route> find(std::string_view method, std::string_view path) const {
    net::Match match = router_.match(method, path);
    const bool is_found = match.route != net::Match::none;
    return {is_found ? routes_[match.route] : nullptr, std::move(match)};
  }

 private:
  net::Router router_;
  std::vector<const Route*> routes_;
};

}  // namespace mayfly
