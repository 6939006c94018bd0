// CosmosCall: one request on its way through the dialect, with everything needed to answer it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/cosmos/requests/auth.h"
#include "dialect/cosmos/resources/address.h"
#include "dialect/dialect.h"

namespace mayfly::cosmos {

class Containers;
class RidNumbers;

// The address by which the client reached the account, `https://localhost:8081`. Clients use it for
// further requests.
std::string endpoint_of(const net::Request& request);

struct CosmosCall {
  const net::Request& request;
  const Services& services;
  const AccountKeys& keys;
  Containers& containers;
  RidNumbers& rid_numbers;
  Address address;
  Principal principal;
  // Set by an action before it fails, if clients distinguish failures by it.
  int substatus = 0;
  int status = 0;  // overrides the status of the code
  std::string additional_info = {};

  Database& database() const { return services.database; }

  // Whether a header is "true", in any case.
  bool has_flag(std::string_view header) const;
  // The header's value; empty if it is missing.
  std::string_view header(std::string_view name) const;
  bool is_query() const;
  bool is_plan_request() const;
  bool wants_minimal() const;  // no body in the answer to a write
  std::string endpoint() const { return endpoint_of(request); }
};

// Answers one route. Fails as errors.h renders it.
using Action = Result<net::Response> (*)(CosmosCall&);

}  // namespace mayfly::cosmos
