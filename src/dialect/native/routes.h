// The table of routes: the source of the router, of the paces of requests, of what a client without
// a key may do, of the known query parameters, and of the OpenAPI document.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dialect/common/requests/route.h"
#include "dialect/native/call.h"

namespace mayfly::native {

struct Answer {
  int status = 200;
  std::string_view schema;              // a row of openapi/schemas.h; empty: no body
  std::string_view stream_schema = {};  // schema of the answer as text/event-stream; empty: there
                                        // is no such form
};

struct Route : RouteColumns {
  std::string_view name;  // the operation's id
  Action action;
  std::string_view summary;
  std::vector<Answer> answers;
  std::vector<std::string_view> parameters = {};  // query parameters: rows of openapi/schemas.h
  std::string_view body = {};                     // a row of openapi/schemas.h; empty: none is read
  std::vector<std::string_view> headers = {};     // rows of openapi/schemas.h
  bool is_urgent = false;  // answered even while the server refuses others for overload
  std::string_view content_type = "application/json";
};

// Routes about one subject: a tag of the OpenAPI document.
struct Group {
  std::string_view name;
  std::string_view summary;
  std::span<const Route> routes;
};

std::span<const Group> groups();
// The routes of all groups, in their order.
std::span<const Route> routes();
// Whether the path is that of an urgent route, whichever method it takes.
bool is_urgent_path(std::string_view path);

}  // namespace mayfly::native
