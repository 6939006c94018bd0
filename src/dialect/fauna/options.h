// Options of the Fauna API that operators set.
#pragma once

#include <string>

#include "base/result.h"
#include "base/service/settings.h"

namespace mayfly {

struct FaunaOptions {
  std::string secret = {};  // of the root database; empty: the well-known secret
};

// The table of the settings, and their values.
Settings::Table fauna_settings();
FaunaOptions fauna_options(const Settings& settings);
Result<void> check_fauna_settings(const Settings& settings);

}  // namespace mayfly
