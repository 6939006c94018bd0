// Validation of texts of the types email, url and ip_address.
#pragma once

#include <string_view>

namespace mayfly::kuzzle::specifications {

bool is_ip_address(std::string_view text);
// name@host, with a host name of at least two labels.
bool is_email(std::string_view text);
// With the scheme http, https or ftp, or none; with such a host name or an address.
bool is_url(std::string_view text);

}  // namespace mayfly::kuzzle::specifications
