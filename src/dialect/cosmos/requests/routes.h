// The routes: one row for each operation on a kind of resource. They are found by what an address
// names, not by the pattern of its path, because a resource may lie below several others.
#pragma once

#include <span>
#include <string_view>

#include "dialect/common/requests/route.h"
#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// The form of a request beside its method. Batch: all or nothing; bulk: each operation by itself.
enum class Form : std::uint8_t { plain, query, plan, batch, bulk, removal, changes };

// How a request with a resource token is checked.
enum class TokenCheck : std::uint8_t {
  by_link,    // the token's link covers the resource; a token for one partition may only read it
  by_key,     // a token for one partition must be for that of the request's header
  by_action,  // the action checks the partition of each document, or reads none
  refused,    // no token allows it
};

struct Route {
  std::string_view method;
  ResourceKind kind;
  bool is_feed;
  Form form;
  net::Pace pace;  // quick: it reads or writes one document, or reads the catalog
  RouteEffect effect;
  Action action;
  TokenCheck token_check = TokenCheck::by_link;
  // Whether a worker answers a quick request with that body; null: none.
  bool (*is_slow_with)(std::string_view body) = nullptr;
};
std::span<const Route> routes();
// Whether read-only keys and tokens are refused.
inline bool writes(const Route& route) {
  return route.effect >= RouteEffect::write;
}

Form form_of(const CosmosCall& call);
// A HEAD has the route of GET. Null pointer if there is none; then `is_known` says whether another
// method has a route.
const Route* find_route(std::string_view method, const Address& address, Form form, bool& is_known);

}  // namespace mayfly::cosmos
