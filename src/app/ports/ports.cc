#include "app/ports/ports.h"

#include <arpa/inet.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mayfly::app {

bool allows_plain(const Settings& settings) {
  return settings.text("tls.plain") == "on";
}

bool speaks_tls(const Settings& settings, const DialectRow& row) {
  const std::string& ports = settings.text("tls.ports");
  if (!allows_plain(settings)) return true;
  const bool is_named = !settings.text("tls.certificate").empty();
  return ports == "all" || (ports == "auto" && (is_named || row.wants_tls));
}

Ports make_ports(const Settings& settings, const Services& services) {
  Ports ports;
  for (const DialectRow& host : dialects()) {
    const auto number = settings.port(port_setting(host));
    if (!host.guest_of.empty() || !number) continue;
    Port& port = *ports.emplace_back(std::make_unique<Port>(host, *number));
    for (const DialectRow& row : dialects()) {
      if (row.name != host.name && row.guest_of != host.name) continue;
      port.handler.add(row.make(services));
      port.speaks_tls |= speaks_tls(settings, row);
      if (row.answers_preflights) port.preflights = net::Preflights::by_handler;
    }
  }
  return ports;
}

Result<void> check_ports(const Settings& settings) {
  std::vector<std::string> names;
  std::map<std::uint16_t, std::string> taken;
  bool is_any_on = false;
  for (const DialectRow& row : dialects()) {
    if (!row.guest_of.empty()) continue;
    const std::string& name = names.emplace_back(port_setting(row));
    const auto number = settings.port(name);
    is_any_on |= number.has_value();
    if (number.value_or(0) == 0) continue;  // off, or any free port
    const auto [before, is_free] = taken.emplace(*number, name);
    if (is_free) continue;
    return fail(Code::invalid, fmt::format("{} and {} are both {}", before->second, name, *number),
                name);
  }
  if (!is_any_on) {
    return fail(Code::invalid,
                "every port is off, so nothing would be served: set " + enumerate(names, "or"),
                names.front());
  }
  if (!allows_plain(settings) && settings.text("tls.ports") == "off") {
    return fail(Code::invalid,
                "tls.plain and tls.ports are both off, so no port could accept a "
                "connection",
                "tls.plain");
  }
  return {};
}

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// A name or an IPv4 address in lower case, or an IPv6 address in brackets.
bool is_host(std::string_view host) {
  if (host.starts_with('[')) {
    in6_addr address{};
    return host.ends_with(']') &&
           inet_pton(AF_INET6, std::string(host.substr(1, host.size() - 2)).c_str(), &address) == 1;
  }
  const auto is_of_a_name = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_';
  };
  return !host.empty() && is_letter_or_digit(host.front()) && !host.ends_with('.') &&
         std::all_of(host.begin(), host.end(), is_of_a_name);
}

// Whether the origin is written as browsers send it: SCHEME://HOST or SCHEME://HOST:PORT in lower
// case, without the scheme's default port. Any other form never matches.
bool is_origin(std::string_view origin) {
  const std::size_t end = origin.find("://");
  if (end == 0 || end == std::string_view::npos) return false;
  const std::string_view scheme = origin.substr(0, end);
  const std::string_view authority = origin.substr(end + 3);
  const auto is_of_a_scheme = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '+'; };
  if (!std::all_of(scheme.begin(), scheme.end(), is_of_a_scheme)) return false;
  const std::size_t colon =
      authority.find(':', authority.starts_with('[') ? authority.find(']') : 0);
  if (!is_host(authority.substr(0, colon))) return false;
  if (colon == std::string_view::npos) return true;
  const std::string_view port = authority.substr(colon + 1);
  const bool is_number =
      !port.empty() && port.size() <= 5 && port.front() != '0' &&
      std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool is_own = (scheme == "http" && port == "80") || (scheme == "https" && port == "443");
  return is_number && !is_own;
}

std::string in_lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return text;
}

}  // namespace

Result<void> check_names(const Settings& settings) {
  for (const std::string& origin : settings.list("cors.origins")) {
    if (origin == "*" || origin == "loopback" || origin == "null" || is_origin(origin)) continue;
    return fail(Code::invalid,
                "cors.origins: '" + origin +
                    "' is no origin; write it as browsers send it, such as "
                    "https://app.example.com or http://localhost:3000",
                "cors.origins");
  }
  for (const std::string& name : settings.list("hosts")) {
    if (is_host(in_lower_case(name))) continue;  // hosts are compared without case
    return fail(Code::invalid,
                "hosts: '" + name +
                    "' is no host name; write it without a scheme and a port, such as db.internal "
                    "or [fd00::1]",
                "hosts");
  }
  return {};
}

Result<void> check_addresses(const Settings& settings) {
  for (const DialectRow& row : dialects()) {
    const std::string setting = port_setting(row);
    const auto number = settings.port(setting);
    if (!row.guest_of.empty() || !number) continue;
    const auto free = net::can_listen(
        {.name = std::string(row.name), .host = settings.text("host"), .port = *number});
    if (!free && free.error().code == Code::exists) {
      return fail(Code::exists,
                  "port " + std::to_string(*number) + " (" + setting +
                      ") is in use; stop the other server or set " + flag_of({.name = setting}),
                  setting);
    }
    TRY(free);
  }
  return {};
}

}  // namespace mayfly::app
