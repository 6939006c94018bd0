// The routes: what is done with each kind of resource, one row each.
#pragma once

#include <string_view>

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// What a request is beside its method.
enum class Form : std::uint8_t { plain, query, plan, batch, removal, changes };

struct Route {
  std::string_view method;
  ResourceKind kind;
  bool is_feed;
  Form form;
  Action action;
  bool is_quick;  // one document is read or written
  bool is_write;  // a read-only key does not do
};

Form form_of(const Call& call);
// Null pointer where there is none; `is_known` then tells whether another method would do.
const Route* find_route(std::string_view method, const Address& address, Form form, bool& is_known);

}  // namespace mayfly::cosmos
