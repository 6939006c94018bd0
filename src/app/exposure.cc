#include "app/exposure.h"

#include <filesystem>
#include <string>

#include "net/host_name.h"

namespace mayfly::app {
namespace {

tl::unexpected<Error> exposed(const Settings& settings, const std::string& why) {
  return fail(Code::invalid, "listening on " + settings.text("host") + why + " or pass --insecure",
              "host");
}

tl::unexpected<Error> exposed_to_anonymous(const Settings& settings) {
  return exposed(settings,
                 " with the Kuzzle API, which accepts every request until its role anonymous is "
                 "restricted: set auth.keys, set kuzzle.port to off,");
}

// Whether the server begins without data. A directory with anything in it may hold some.
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

// With auth.keys the Cosmos DB API refuses the well-known key, and the Kuzzle API a request without
// a login: until a key has made the first administrator, and for as long as the role anonymous
// allows everything.
Result<void> check_exposure(const Settings& settings, const Credentials& credentials) {
  if (!is_reached_by_others(settings) || !credentials.keys.empty()) return {};
  if (credentials.is_open() && settings.port("native.port")) {
    return exposed(settings, " lets other machines in, and no keys are configured: set auth.keys");
  }
  if (credentials.is_open() && settings.port("cosmos.port") && credentials.account_key.empty()) {
    return exposed(settings,
                   " with the Cosmos DB API, which accepts the key that all emulators have: set "
                   "cosmos.key, set cosmos.port to off,");
  }
  if (settings.port("kuzzle.port") && begins_empty(settings)) return exposed_to_anonymous(settings);
  return {};
}

Result<void> check_exposure(const Settings& settings, const Credentials& credentials,
                            const Ports& ports) {
  if (!is_reached_by_others(settings) || !credentials.keys.empty()) return {};
  for (const auto& port : ports) {
    if (port->handler.is_open()) return exposed_to_anonymous(settings);
  }
  return {};
}

}  // namespace mayfly::app
