#include "dialect/cosmos/options.h"

#include "base/crypto/crypto.h"
#include "base/service/logging.h"

namespace mayfly {

Settings::Table cosmos_settings() {
  return {{.name = "cosmos.key",
           .initial = "",
           .help = "The key that signs requests to the Cosmos DB API, in base64. The default is "
                   "the well-known key of Cosmos DB emulators. If {closing} "
                   "is set, there is no default and the API refuses every request until you set "
                   "this key.",
           .placeholder = "KEY",
           .secret = true},
          {.name = "cosmos.read_key",
           .initial = "",
           .help = "A second key of the Cosmos DB API, in base64. It allows reading only.",
           .placeholder = "KEY",
           .secret = true}};
}

CosmosOptions cosmos_options(const Settings& settings) {
  return {.key = settings.text("cosmos.key"), .read_key = settings.text("cosmos.read_key")};
}

Result<void> check_cosmos_settings(const Settings& settings) {
  for (const SettingRow& row : cosmos_settings()) {
    const std::string& key = settings.text(row.name);
    if (key.empty()) continue;
    hide_in_logs(key);
    const auto raw = decode_base64(key);
    if (raw && !raw->empty()) continue;
    const std::string name(row.name);
    return fail(Code::invalid, name + " takes a key in base64", name);
  }
  return {};
}

}  // namespace mayfly
