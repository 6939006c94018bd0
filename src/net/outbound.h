// Calls to addresses that clients choose, such as webhooks. A name is resolved once, the addresses
// are judged, and the connection goes to one of those: whatever a name means later, nobody is led
// to this machine or its neighbours. Redirects are answers like any other.
#pragma once

#include <cstddef>
#include <string_view>

#include "net/client.h"

namespace mayfly::net {

struct OutboundRules {
  bool may_reach_private = false;
  std::size_t answer_bytes_max = 0;  // what comes beyond it is not read
};

// Blocks, for at most call.time_max beside the resolving of the name. http:// and https://, where
// the certificate must be valid for the name. Fails with invalid for a URL that is none, forbidden
// where it leads to no address that may be reached, timed_out, and internal where nobody answers.
Result<Response> call_out(const Call& call, const OutboundRules& rules);

// Whether it is a URL that call_out would take, without resolving names. Fails with invalid, and
// forbidden where it is an address that may not be reached.
Result<void> check_url(std::string_view url, const OutboundRules& rules);

// Whether the address belongs to the public internet: no loopback, private, shared, link-local,
// multicast or reserved one, and none that has such a one in it. False for what is no address.
bool is_public_address(std::string_view address);

}  // namespace mayfly::net
