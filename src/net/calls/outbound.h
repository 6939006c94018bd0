// Which URLs clients may have called: none that lead to this machine or its neighbours.
#pragma once

#include <string_view>

#include "net/calls/caller.h"

namespace mayfly::net {

// Whether the URL may be called, without resolving names. Fails with invalid, also where it
// names a user, and with out_of_reach().
Result<void> check_url(std::string_view url, Reach reach);

// Forbidden; names the field url.
Error out_of_reach();

// Whether the address belongs to the public internet: no loopback, private, shared, link-local,
// multicast or reserved one, and none that has such a one in it. False for what is no address.
bool is_public_address(std::string_view address);

}  // namespace mayfly::net
