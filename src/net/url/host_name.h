// Names of hosts, as `Host` headers, origins and settings give them.
#pragma once

#include <string_view>

namespace mayfly::net {

// The host in "host:port", "[address]:port" or either without a port, without a dot at its end.
// Empty where it is none of these.
std::string_view host_of(std::string_view authority);

// Whether it can only mean this machine, whatever name servers say: localhost and the names below
// it, 127.0.0.0/8 and [::1]. In any case; brackets may be left out.
bool is_loopback_host(std::string_view host);

// Host names do not differ by case.
bool is_same_host(std::string_view a, std::string_view b);

}  // namespace mayfly::net
