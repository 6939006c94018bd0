// The ports that the settings ask for, and who answers there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/dialects.h"
#include "base/service/settings.h"
#include "net/server.h"

namespace mayfly::app {

struct Port {
  const DialectRow& host;  // what no guest of it claims, it answers; the port has its name
  std::uint16_t number;
  SharedPort handler;
  bool speaks_tls = false;
  net::Preflights preflights = net::Preflights::by_server;
};
using Ports = std::vector<std::unique_ptr<Port>>;

Ports make_ports(const Settings& settings, const Services& services);

// Whether ports take HTTP without TLS, and whether a dialect's port takes TLS.
bool takes_plain(const Settings& settings);
bool speaks_tls(const Settings& settings, const DialectRow& row);

// Whether anything would be served at all. Fails with invalid.
Result<void> check_ports(const Settings& settings);
// Whether every value of cors.origins and hosts can match a request. Fails with invalid.
Result<void> check_names(const Settings& settings);
// Whether every configured port is free. Another process may still take one meanwhile. Fails with
// exists if a port is in use, otherwise with invalid.
Result<void> check_addresses(const Settings& settings);

}  // namespace mayfly::app
