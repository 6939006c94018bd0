// Which requests there are: one table of rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/centrali/call.h"
#include "net/router.h"

namespace mayfly::centrali {

struct Route {
  std::string_view method;
  // Behind /workspace/{workspace}/api/v1; what begins with /structures also begins with
  // /collections.
  std::string_view pattern;
  Action action;
};

struct RouteMatch {
  std::string workspace;
  net::Match match;
  Action action = nullptr;  // null where nothing fits
};

// Immutable once made; threads: any.
class Routes {
 public:
  Routes();

  // Both prefixes, /workspace/… and /data/workspace/…, lead to the same rows.
  RouteMatch match(std::string_view method, std::string_view path) const;

 private:
  net::Router router_;
  std::vector<Action> actions_;
};

// Whether the path is this dialect's.
bool is_claimed(std::string_view path);
bool is_token_path(std::string_view path);
// The workspace of /realtime/workspace/{workspace}/events; nothing for another path.
std::optional<std::string> event_stream_workspace(std::string_view path);
// Whether it is about one record (or makes one): answered fast enough for the thread that reads the
// socket.
bool is_about_one_record(std::string_view method, std::string_view path);
// Whether its body may be as large as limits::bulk_body_bytes_max.
bool is_about_many_records(std::string_view path);

}  // namespace mayfly::centrali
