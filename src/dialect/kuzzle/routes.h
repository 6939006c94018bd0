// The routes: one row each action, with the addresses it has over HTTP. What clients are told of
// the API (server:publicApi) is made of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dialect/kuzzle/call.h"
#include "net/router.h"

namespace mayfly::kuzzle {

struct Url {
  std::string_view verb;
  std::string_view path;  // with parameters as `:name`
};

// How long an action takes. Quick: one document is read or written. Costly: a password is hashed,
// which takes long by design; such requests have a thread of their own (net/head_handler.h).
enum class Pace : std::uint8_t { quick, slow, costly };

struct Route {
  std::string_view controller;
  std::string_view action;
  Action act;
  Pace pace;
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

// Threads: immutable, any.
class HttpRoutes {
 public:
  HttpRoutes();
  // Null pointer where no address fits.
  const Route* match(const net::Request& request, std::vector<net::Pair>& captured) const;

 private:
  net::Router router_;
  std::vector<const Route*> rows_;
};

// {controller: {action: its addresses}}, where clients choose the right ones from.
Object public_api();
// Likewise, with every address.
Object whole_api();

}  // namespace mayfly::kuzzle
