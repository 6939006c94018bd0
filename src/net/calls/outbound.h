// Which URLs of clients the server may call: none of this machine or its private networks.
#pragma once

#include <string_view>

#include "net/calls/caller.h"

namespace mayfly::net {

// Checks whether the URL may be called, without resolving names. Fails with invalid, also if the
// URL contains a user, and with out_of_reach().
Result<void> check_url(std::string_view url, AddressPolicy address_policy);

// Forbidden; names the field url.
Error out_of_reach();

// Whether the address belongs to the public internet. It is not a loopback, private, shared,
// link-local, multicast or reserved address, nor one that embeds such an address. False if the text
// is not an address.
bool is_public_address(std::string_view address);

}  // namespace mayfly::net
