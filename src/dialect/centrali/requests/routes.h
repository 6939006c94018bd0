// The routes: one table of rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/centrali/call.h"
#include "dialect/common/limits.h"
#include "net/router.h"

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

struct Route {
  std::string_view method;
  // After /workspace/{workspace}/api/v1. A pattern with /structures also matches /collections.
  std::string_view pattern;
  Action action;
  unsigned parameters = no_parameters;
};
// Fails with invalid, naming the parameter, if the request has one that is none of these.
Result<void> check_parameters(const net::Request& request, unsigned parameters);

struct RouteMatch {
  std::string workspace;
  net::Match match;
  Action action = nullptr;  // null if no route matches
  unsigned parameters = no_parameters;
};

// Immutable once made; threads: any.
class Routes {
 public:
  Routes();

  // Both prefixes, /workspace/… and /data/workspace/…, lead to the same rows.
  RouteMatch match(std::string_view method, std::string_view path) const;

 private:
  net::Router router_;
  std::vector<const Route*> rows_;
};

// Whether the path is this dialect's.
bool is_claimed(std::string_view path);
bool is_token_path(std::string_view path);
// The workspace of /realtime/workspace/{workspace}/events; nothing for another path.
std::optional<std::string> event_stream_workspace(std::string_view path);
// Whether the request is about one record (or creates one). Such a request is fast enough for the
// thread that reads the socket.
bool is_about_one_record(std::string_view method, std::string_view path);
// Whether the request's body may be as large as limits::bulk_body_bytes_max.
bool is_about_many_records(std::string_view path);

}  // namespace mayfly::centrali
