// The routes: one row for each action, with its URLs over HTTP. The description of the API for
// clients (server:publicApi) is generated from them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "dialect/common/limits.h"
#include "dialect/common/requests/route.h"
#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// What an action may change in the rights of users. own_token: it ends the caller's token. rights:
// users, profiles, roles or keys, all or nothing. in_steps: the same, but a failed action may have
// done a part. An action that changes any of this is not quick: all subscriptions under the changed
// rights are checked again.
enum class RightsChange : std::uint8_t { none, own_token, rights, in_steps };

// Columns in which few rows differ from the others.
struct RouteTraits {
  RightsChange change = RightsChange::none;
  std::string_view objects = {};   // the collection of users, profiles or roles that it is about
  bool is_of_caller = false;       // about the caller, not about the user that the request names
  bool stays_after_reset = false;  // remains in a role that is otherwise restricted
  bool judges_token = false;       // answers clients whose token is invalid
  bool ends_login = false;         // of the connection
  bool is_urgent = false;          // answered even while the server refuses others for overload
  std::size_t body_bytes_max = limits::bulk_body_bytes_max;
};

// Roles decide by the names of controller and action which users may run it; any client may run one
// that is open.
struct Route {
  std::string_view controller;
  std::string_view action;
  Action act;
  net::Pace pace;  // quick: the catalog or one document is used; costly: a password is hashed
  RouteEffect effect;
  std::array<std::string_view, 5> urls = {};  // "GET /:index/_list"
  RouteTraits traits = {};
};

std::span<const Route> routes();
// Null pointer if there is none.
const Route* find_route(std::string_view controller, std::string_view action);
bool has_controller(std::string_view controller);

// Immutable. Threads: any.
class HttpRoutes {
 public:
  HttpRoutes();
  // The route that matches a URL, or null if there is none, and the parameters in the path.
  RouteMatch<Route> match(const net::Request& request) const;

 private:
  RouteFinder<Route> finder_;
};

// {controller: {action: its URLs}}, limited to the URLs among which Kuzzle's clients choose the
// right one.
Object public_api();
// The same with every URL.
Object whole_api();

}  // namespace mayfly::kuzzle
