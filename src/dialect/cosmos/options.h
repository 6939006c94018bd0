// The operators' options of the Cosmos DB API.
#pragma once

#include <string>

#include "base/result.h"
#include "base/service/settings.h"

namespace mayfly {

// Keys are in base64, as for clients.
struct CosmosOptions {
  std::string key = {};       // signs requests; empty: the well-known one
  std::string read_key = {};  // signs requests that only read; empty: there is none
};

// The rows of the settings, and the options that they give.
Settings::Table cosmos_settings();
CosmosOptions cosmos_options(const Settings& settings);
// Fails with invalid if a key is not base64: then every request would be refused.
Result<void> check_cosmos_settings(const Settings& settings);

}  // namespace mayfly
