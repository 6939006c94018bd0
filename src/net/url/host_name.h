// Host names in `Host` headers, origins and settings.
#pragma once

#include <string_view>

namespace mayfly::net {

// The host in "host:port", "[address]:port" or either without a port, without a trailing dot. Empty
// if the text has none of these forms.
std::string_view host_of(std::string_view authority);

// Whether it always means this machine, independent of name servers: localhost and the names below
// it, 127.0.0.0/8 and [::1]. Case does not matter; brackets may be missing.
bool is_loopback_host(std::string_view host);

// Compares without case.
bool is_same_host(std::string_view a, std::string_view b);

}  // namespace mayfly::net
