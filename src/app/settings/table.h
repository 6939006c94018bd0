// The settings of the server, one row each; docs/settings.md is written from them.
#pragma once

#include "base/service/settings.h"

namespace mayfly::app {

const Settings::Table& settings_table();

// The variables MAYFLY_… that are no settings of the server.
const std::vector<std::string_view>& other_variables();

}  // namespace mayfly::app
