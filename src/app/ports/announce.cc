#include "app/ports/announce.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/service/logging.h"

namespace mayfly::app {
namespace {

constexpr std::string_view memory_only = ":memory:";

struct Address {
  std::string host_and_port;  // host:port
  std::vector<std::string> urls;
};

Address address_of(const Settings& settings, const Port& port, std::uint16_t number) {
  std::string host = settings.text("host");
  if (host.find(':') != std::string::npos && host.front() != '[') host = "[" + host + "]";
  Address address{.host_and_port = fmt::format("{}:{}", host, number), .urls = {}};
  if (allows_plain(settings)) address.urls.push_back("http://" + address.host_and_port);
  if (port.speaks_tls) address.urls.push_back("https://" + address.host_and_port);
  return address;
}

std::string render_access(const Port& port, const PortAccess& access) {
  std::string text = fmt::format("  {:<7} {}\n", port.host.name, access.sentence);
  if (!access.connection.empty()) text += fmt::format("  {:<7} {}\n", "", access.connection);
  return text;
}

// The absolute path, so that it is valid from any folder.
std::string data_path(const Settings& settings) {
  const std::string& data = settings.text("data");
  if (data == memory_only) return "in memory; nothing is kept";
  std::error_code unknown;
  const auto absolute = std::filesystem::absolute(data, unknown);
  return unknown ? data : absolute.lexically_normal().string();
}

void log_port(const Port& port, const Address& address, const PortAccess& access, bool is_plain) {
  const bool is_open = port.handler.is_open();
  log(LogLevel::info,
      is_open ? "listening, open to every client that reaches the port" : "listening, closed",
      {{"api", port.host.name},
       {"address", address.host_and_port},
       {"plain", is_plain},
       {"tls", port.speaks_tls},
       {"open", is_open},
       {"guard", access.guard},
       {is_open ? "closed_by" : "asks_for", access.asks_for}});
}

// Logs a warning at the start for a port that refuses every request.
void warn_if_closed(const Port& port) {
  const PortAccess access = port.handler.access({});
  if (access.guard != PortAccess::closed) return;
  log(LogLevel::warn,
      fmt::format("the {} refuses every request, because {} is set and {} is not", port.host.title,
                  closing_settings("or"), access.asks_for),
      {{"setting", access.asks_for}});
}

}  // namespace

std::string render_announcement(const Announcement& a) {
  std::string ports;
  std::string rest;
  for (std::size_t i = 0; i < a.ports.size(); ++i) {
    const Port& port = *a.ports[i];
    const Address address = address_of(a.settings, port, a.numbers[i]);
    ports += fmt::format("{} {}\n", port.host.name, fmt::join(address.urls, " "));
    rest += render_access(port, port.handler.access(address.urls.front()));
  }
  rest += fmt::format("  data    {}\n", data_path(a.settings));
  rest += fmt::format("  clock   {}\n", a.is_virtual ? "virtual: it moves only when it is asked to"
                                                     : "this machine's");
  return ports + rest;
}

void announce(const Announcement& a, std::FILE* out) {
  std::fputs(render_announcement(a).c_str(), out);
  std::fflush(out);
  for (std::size_t i = 0; i < a.ports.size(); ++i) {
    const Port& port = *a.ports[i];
    const Address address = address_of(a.settings, port, a.numbers[i]);
    const PortAccess access = port.handler.access(address.urls.front());
    log_port(port, address, access, allows_plain(a.settings));
  }
  log(LogLevel::info, "serving",
      {{"version", MAYFLY_VERSION},
       {"data", a.settings.text("data")},
       {"clock", a.is_virtual ? "virtual" : "system"}});
  for (const auto& port : a.ports) warn_if_closed(*port);
}

}  // namespace mayfly::app
