// The routes: one row for each operation on a kind of resource.
#pragma once

#include <string_view>

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// The form of a request beside its method.
enum class Form : std::uint8_t { plain, query, plan, batch, removal, changes };

struct Route {
  std::string_view method;
  ResourceKind kind;
  bool is_feed;
  Form form;
  Action action;
  bool is_quick;  // it reads or writes one document
  bool is_write;  // a read-only key is refused
};

Form form_of(const Call& call);
// Null pointer if there is none; `is_known` then tells whether another method has a route.
const Route* find_route(std::string_view method, const Address& address, Form form, bool& is_known);

}  // namespace mayfly::cosmos
