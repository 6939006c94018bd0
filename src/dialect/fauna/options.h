// What operators choose for the Fauna API.
#pragma once

#include <string>

#include "base/result.h"
#include "base/service/settings.h"

namespace mayfly {

struct FaunaOptions {
  std::string secret = {};  // of the root database; empty: the well-known one
};

// The rows of the settings, and what they say.
Settings::Table fauna_settings();
FaunaOptions fauna_options(const Settings& settings);
Result<void> check_fauna_settings(const Settings& settings);

}  // namespace mayfly
