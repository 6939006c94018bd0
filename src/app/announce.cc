#include "app/announce.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/logging.h"
#include "dialect/cosmos/auth.h"

namespace mayfly::app {
namespace {

constexpr std::string_view memory_only = ":memory:";

struct Address {
  std::string place;  // host:port
  std::vector<std::string> urls;
};

Address address_of(const Settings& settings, const Port& port, std::uint16_t number) {
  std::string host = settings.text("host");
  if (host.find(':') != std::string::npos && host.front() != '[') host = "[" + host + "]";
  Address address{.place = fmt::format("{}:{}", host, number), .urls = {}};
  if (takes_plain(settings)) address.urls.push_back("http://" + address.place);
  if (port.speaks_tls) address.urls.push_back("https://" + address.place);
  return address;
}

PortAccess access_with_keys(const Credentials& credentials) {
  if (credentials.is_open()) {
    return {.guard = "open",
            .sentence = "open to every program that reaches it; set auth.keys to ask for a key"};
  }
  if (credentials.keys.empty()) {
    return {.guard = "keys",
            .sentence =
                "the Centrali API asks for a token of one of centrali.clients; the native API "
                "refuses every request until auth.keys is set",
            .asks_for = "centrali.clients"};
  }
  return {.guard = "keys",
          .sentence = "asks for one of auth.keys, as in `Authorization: Bearer KEY`"};
}

PortAccess access_of_account(const Credentials& credentials, const std::string& url) {
  if (cosmos::lacks_account_key(credentials)) {
    return {.guard = "closed",
            .sentence = fmt::format("refuses every request: {} is set and cosmos.key is not",
                                    credentials.keys.empty() ? "centrali.clients" : "auth.keys")};
  }
  if (!credentials.account_key.empty()) {
    return {.guard = "account_key",
            .sentence = "asks for the key of cosmos.key",
            .connection = fmt::format("AccountEndpoint={}/;AccountKey=<cosmos.key>;", url)};
  }
  return {
      .guard = "well_known_key",
      .sentence = "takes the key that all Cosmos DB emulators have; set cosmos.key for another",
      .connection = fmt::format("AccountEndpoint={}/;AccountKey={};", url, cosmos::well_known_key)};
}

PortAccess access_with_users(const Port& port, const Credentials& credentials) {
  if (port.handler.is_open()) {
    return {.guard = "open",
            .sentence =
                "open to every program that reaches it, until its first administrator is "
                "made (security:createFirstAdmin)"};
  }
  if (credentials.keys.empty()) return {.guard = "login", .sentence = "asks for a login"};
  return {.guard = "login",
          .sentence = "asks for a login; one of auth.keys makes the first administrator"};
}

std::string render_access(const Port& port, const PortAccess& access) {
  std::string text = fmt::format("  {:<7} {}\n", port.name, access.sentence);
  if (!access.connection.empty()) text += fmt::format("  {:<7} {}\n", "", access.connection);
  return text;
}

// What is shown is found again from another folder.
std::string data_place(const Settings& settings) {
  const std::string& data = settings.text("data");
  if (data == memory_only) return "in memory; nothing is kept";
  std::error_code unknown;
  const auto place = std::filesystem::absolute(data, unknown);
  return unknown ? data : place.lexically_normal().string();
}

void log_port(const Port& port, const Address& address, const PortAccess& access, bool is_plain) {
  const bool is_open = port.handler.is_open();
  log(LogLevel::info,
      is_open ? "listening, open to every client that reaches the port" : "listening, closed",
      {{"api", port.name},
       {"address", address.place},
       {"plain", is_plain},
       {"tls", port.speaks_tls},
       {"open", is_open},
       {"guard", access.guard},
       {is_open ? "closed_by" : "asks_for",
        access.asks_for.empty() ? port.closed_by : access.asks_for}});
}

}  // namespace

PortAccess access_of(const Port& port, const Credentials& credentials, const std::string& url) {
  if (port.name == "cosmos") return access_of_account(credentials, url);
  if (port.name == "kuzzle") return access_with_users(port, credentials);
  return access_with_keys(credentials);
}

std::string render_announcement(const Announcement& a) {
  std::string ports;
  std::string rest;
  for (std::size_t i = 0; i < a.ports.size(); ++i) {
    const Port& port = *a.ports[i];
    const Address address = address_of(a.settings, port, a.numbers[i]);
    ports += fmt::format("{} {}\n", port.name, fmt::join(address.urls, " "));
    rest += render_access(port, access_of(port, a.credentials, address.urls.front()));
  }
  rest += fmt::format("  data    {}\n", data_place(a.settings));
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
    log_port(port, address, access_of(port, a.credentials, address.urls.front()),
             takes_plain(a.settings));
  }
  log(LogLevel::info, "serving",
      {{"version", MAYFLY_VERSION},
       {"data", a.settings.text("data")},
       {"clock", a.is_virtual ? "virtual" : "system"}});
}

}  // namespace mayfly::app
