// The routes: one table of rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "dialect/centrali/call.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/route.h"

namespace mayfly::centrali {

// Groups of query string parameters; a route accepts any set of groups.
enum Parameters : unsigned {
  no_parameters = 0,
  place_parameters = 1,     // which structure
  lifetime_parameters = 2,  // when the record ends
  removal_parameters = 4,
  paging_parameters = 8,
  archived_parameter = 16,
  expand_parameter = 32,
  ids_parameter = 64,
  stop_parameter = 128,
  status_parameter = 256,
  run_parameters = 1024,  // which function or trigger
  // Also every field that a list can be filtered by. The parser of the list refuses other names.
  list_parameters = 512,
};

// The pattern continues after /workspace/{workspace}/api/v1; one with /structures also matches
// /collections. A key or token allows every effect, so no route is open.
struct Route : RouteColumns {
  Action action;
  unsigned parameters = no_parameters;
  std::size_t body_bytes_max = limits::request_body_bytes_max;
};
std::span<const Route> routes();

// Fails with invalid, naming the parameter, if the request has one that is none of these.
Result<void> check_parameters(const net::Request& request, unsigned parameters);

struct WorkspaceMatch : RouteMatch<Route> {
  std::string workspace = {};
};

// Immutable once made; threads: any.
class Routes {
 public:
  Routes();

  // Both prefixes, /workspace/… and /data/workspace/…, lead to the same rows.
  WorkspaceMatch match(std::string_view method, std::string_view path) const;

 private:
  RouteFinder<Route> finder_;
};

// Whether the path is this dialect's.
bool is_claimed(std::string_view path);
bool is_token_path(std::string_view path);
// The workspace of /realtime/workspace/{workspace}/events; nothing for another path.
std::optional<std::string> event_stream_workspace(std::string_view path);

}  // namespace mayfly::centrali
