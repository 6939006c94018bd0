#include "app/ports/exposure.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "net/url/host_name.h"

namespace mayfly::app {
namespace {

Error exposed(const Settings& settings, const DialectRow& row) {
  return {
      Code::invalid,
      fmt::format("listening on {}{} or pass --insecure", settings.text("host"), row.exposed.why),
      "host"};
}

// Whether the server starts without data. A directory that is not empty may hold some.
bool begins_empty(const Settings& settings) {
  std::error_code unknown;
  const std::filesystem::path data = settings.text("data");
  return data == ":memory:" || !std::filesystem::exists(data, unknown) ||
         std::filesystem::is_empty(data, unknown);
}

}  // namespace

bool is_reached_by_others(const Settings& settings) {
  return !settings.flag("insecure") && !net::is_loopback_host(settings.text("host"));
}

// If auth.keys is set, no dialect is open.
Result<void> check_exposure(const Settings& settings, const Credentials& credentials) {
  if (!is_reached_by_others(settings) || !credentials.keys.empty()) return {};
  for (const DialectRow& row : dialects()) {
    const auto is_open = row.exposed.by_settings;
    if (is_open == nullptr || !settings.port(port_setting(row))) continue;
    if (is_open(settings, credentials, begins_empty(settings))) {
      return tl::unexpected(exposed(settings, row));
    }
  }
  return {};
}

Result<void> check_exposure(const Settings& settings, const Credentials& credentials,
                            const Ports& ports) {
  if (!is_reached_by_others(settings) || !credentials.keys.empty()) return {};
  for (const auto& port : ports) {
    if (port->handler.is_open()) return tl::unexpected(exposed(settings, port->host));
  }
  return {};
}

}  // namespace mayfly::app
