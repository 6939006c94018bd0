// The settings of the server, one row each; docs/settings.md is generated from them.
#pragma once

#include "base/service/settings.h"

namespace mayfly::app {

const Settings::Table& settings_table();

// Environment variables MAYFLY_… that are not settings of the server.
const std::vector<std::string_view>& other_variables();

}  // namespace mayfly::app
