// The parts of a URL that a call needs.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::net {

struct CallTarget {
  bool is_secure = false;
  bool has_user = false;    // the URL has user:password@; it is not sent
  bool is_address = false;  // the host is an address, not a name
  std::string host;         // a name, or an address without brackets
  std::string port;
  std::string host_and_port;  // as in the URL
  std::string path;           // with the query

  std::string origin() const { return (is_secure ? "https://" : "http://") + host_and_port; }
};

// Fails with invalid if the text is not a URL of http or https.
Result<CallTarget> parse_call_target(std::string_view url);

// The URL without its query, which may hold a secret.
std::string url_for_errors(std::string_view url);

}  // namespace mayfly::net
