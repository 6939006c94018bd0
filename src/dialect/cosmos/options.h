// What operators choose for the Cosmos DB API.
#pragma once

#include <string>

#include "base/result.h"
#include "base/service/settings.h"

namespace mayfly {

// Keys in base64, as clients have them.
struct CosmosOptions {
  std::string key = {};       // that requests are signed with; empty: the one everybody knows
  std::string read_key = {};  // likewise, for reading only; empty: there is none
};

// The rows of the settings, and what they say.
Settings::Table cosmos_settings();
CosmosOptions cosmos_options(const Settings& settings);
// With any other key every request would be refused. Fails with invalid.
Result<void> check_cosmos_settings(const Settings& settings);

}  // namespace mayfly
