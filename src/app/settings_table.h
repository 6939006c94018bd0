// The settings of the server, one row each; docs/settings.md is written from them.
#pragma once

#include "base/settings.h"

namespace mayfly::app {

const Settings::Table& settings_table();

}  // namespace mayfly::app
