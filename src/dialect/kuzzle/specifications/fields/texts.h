// What texts of the types email, url and ip_address look like.
#pragma once

#include <string_view>

namespace mayfly::kuzzle::specifications {

bool is_ip_address(std::string_view text);
// name@host, where the host is a name of at least two labels.
bool is_email(std::string_view text);
// Of http, https or ftp, or without a scheme; with a host that is such a name or an address.
bool is_url(std::string_view text);

}  // namespace mayfly::kuzzle::specifications
