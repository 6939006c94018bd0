// The routes: one row for each action, with its URLs over HTTP. The description of the API for
// clients (server:publicApi) is generated from them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dialect/kuzzle/call.h"
#include "net/handler.h"
#include "net/router.h"

namespace mayfly::kuzzle {

struct Url {
  std::string_view verb;
  std::string_view path;  // parameters as `:name`
};

struct Route {
  std::string_view controller;
  std::string_view action;
  Action act;
  net::Pace pace;  // quick: one document is read or written; costly: a password is hashed
  std::array<Url, 5> urls = {};
};

// What an action may change in the rights of users. own_token: it ends the caller's token. rights:
// users, profiles, roles or keys, all or nothing. in_steps: the same, but a failed action may have
// done a part. An action that changes any of this is not quick: all subscriptions under the changed
// rights are checked again.
enum class RightsChange : std::uint8_t { none, own_token, rights, in_steps };
RightsChange rights_change_of(const Route& route);

// Null pointer if there is none; `knows_controller` then says whether the controller exists.
const Route* find_route(std::string_view controller, std::string_view action,
                        bool& knows_controller);

// The route that matches a URL, or null if there is none, and the parameters in the path.
struct HttpMatch {
  const Route* route = nullptr;
  net::Captures captured = {};
};

// Threads: immutable, any.
class HttpRoutes {
 public:
  HttpRoutes();
  HttpMatch match(const net::Request& request) const;

 private:
  net::Router router_;
  std::vector<const Route*> rows_;
};

// {controller: {action: its URLs}}, limited to the URLs among which Kuzzle's clients choose the
// right one.
Object public_api();
// The same with every URL.
Object whole_api();

}  // namespace mayfly::kuzzle
