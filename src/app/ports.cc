#include "app/ports.h"

#include <algorithm>

namespace mayfly::app {

bool takes_plain(const Settings& settings) {
  return settings.text("tls.plain") == "on";
}

bool speaks_tls(const Settings& settings, const DialectRow& row) {
  const std::string& ports = settings.text("tls.ports");
  if (!takes_plain(settings)) return true;
  const bool is_named = !settings.text("tls.certificate").empty();
  return ports == "all" || (ports == "auto" && (is_named || row.wants_tls));
}

Ports make_ports(const Settings& settings, const Services& services) {
  Ports ports;
  std::vector<std::string_view> known;
  for (const DialectRow& row : dialects()) {
    const auto number = settings.port(row.port_setting);
    if (!number) continue;
    std::size_t place = 0;
    while (place < known.size() && known[place] != row.port_setting) ++place;
    if (place == known.size()) {
      known.push_back(row.port_setting);
      ports.push_back(std::make_unique<Port>());
      ports.back()->number = *number;
    }
    // A port has the name of the dialect that answers what no other claims.
    ports[place]->name = row.name;
    ports[place]->closed_by = row.closed_by;
    ports[place]->handler.add(row.make(services));
    ports[place]->speaks_tls |= speaks_tls(settings, row);
    if (row.answers_preflights) ports[place]->preflights = net::Preflights::by_handler;
  }
  return ports;
}

Result<void> check_ports(const Settings& settings) {
  const auto& rows = dialects();
  if (std::none_of(rows.begin(), rows.end(),
                   [&](const DialectRow& row) { return settings.port(row.port_setting); })) {
    return fail(Code::invalid,
                "every port is off, so nothing would be served: set native.port, cosmos.port or "
                "kuzzle.port",
                "native.port");
  }
  if (!takes_plain(settings) && settings.text("tls.ports") == "off") {
    return fail(Code::invalid,
                "tls.plain and tls.ports are both off, so no port could accept a "
                "connection",
                "tls.plain");
  }
  return {};
}

Result<void> check_addresses(const Settings& settings) {
  std::vector<std::string_view> known;
  for (const DialectRow& row : dialects()) {
    const auto number = settings.port(row.port_setting);
    if (!number || std::find(known.begin(), known.end(), row.port_setting) != known.end()) continue;
    known.push_back(row.port_setting);
    TRY(net::can_listen(
        {.name = std::string(row.name), .host = settings.text("host"), .port = *number}));
  }
  return {};
}

}  // namespace mayfly::app
