// Serving: assembles and runs the server, from settings to listeners.
#pragma once

#include <cstdio>

#include "base/result.h"
#include "base/service/settings.h"

namespace mayfly::app {

// Serves until SIGINT or SIGTERM; prints to `out` where it listens (ports/announce.h). Fails with
// invalid for a wrong setting, and as opening the store and the listeners does.
Result<void> serve(const Settings& settings, std::FILE* out);

}  // namespace mayfly::app
