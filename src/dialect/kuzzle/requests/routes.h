// The routes: one row each action, with the addresses it has over HTTP. What clients are told of
// the API (server:publicApi) is made of them.
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
  std::string_view path;  // with parameters as `:name`
};

struct Route {
  std::string_view controller;
  std::string_view action;
  Action act;
  net::Pace pace;  // quick: one document is read or written; costly: a password is hashed
  std::array<Url, 5> urls = {};
};

// What an action may change of what anybody may do. Own token: it ends the caller's. Rights: users,
// profiles, roles, keys, all or nothing. In steps: likewise, but one that fails may have done some.
// An action that changes any of this is not quick: all subscriptions by those rights are looked at.
enum class RightsChange : std::uint8_t { none, own_token, rights, in_steps };
RightsChange rights_change_of(const Route& route);

// Null pointer where there is none; `knows_controller` then tells what was not known.
const Route* find_route(std::string_view controller, std::string_view action,
                        bool& knows_controller);

// What an address of HTTP says: the row, or null where none fits, and the parameters in the path.
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

// {controller: {action: its addresses}}, where clients choose the right ones from.
Object public_api();
// Likewise, with every address.
Object whole_api();

}  // namespace mayfly::kuzzle
