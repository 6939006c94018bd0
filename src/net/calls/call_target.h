// Where a URL leads.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::net {

struct CallTarget {
  bool is_secure = false;
  bool has_user = false;    // user:password@ before the host; it is not sent
  bool is_address = false;  // the host is no name
  std::string host;         // a name, or an address without brackets
  std::string port;
  std::string host_and_port;  // as the URL says them
  std::string path;           // and the query

  std::string origin() const { return (is_secure ? "https://" : "http://") + host_and_port; }
};

// Fails with invalid for what is no URL of http or https.
Result<CallTarget> parse_call_target(std::string_view url);

}  // namespace mayfly::net
