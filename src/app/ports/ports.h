// The ports that the settings configure, and their handlers.
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
  const DialectRow& host;  // answers what no guest claims, and gives the port its name
  std::uint16_t number;
  SharedPort handler;
  bool speaks_tls = false;
  net::Preflights preflights = net::Preflights::by_server;
};
using Ports = std::vector<std::unique_ptr<Port>>;

Ports make_ports(const Settings& settings, const Services& services);

// Whether ports accept HTTP without TLS, and whether a dialect's port accepts TLS.
bool allows_plain(const Settings& settings);
bool speaks_tls(const Settings& settings, const DialectRow& row);

// Fails with invalid if no port is configured, if two have the same number, or if the settings let
// them accept neither plain HTTP nor TLS.
Result<void> check_ports(const Settings& settings);
// Fails with invalid if a value of cors.origins or hosts cannot match any request.
Result<void> check_names(const Settings& settings);
// Checks that every configured port is free; another process may still take one afterwards. Fails
// with exists if a port is in use, otherwise with invalid.
Result<void> check_addresses(const Settings& settings);

}  // namespace mayfly::app
