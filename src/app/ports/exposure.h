// Checks that a server which other machines can reach requires credentials, unless the user allows
// it to be open.
#pragma once

#include "app/ports/ports.h"
#include "base/result.h"
#include "base/service/settings.h"
#include "dialect/dialect.h"

namespace mayfly::app {

// Whether other machines can reach the server, and `insecure` does not allow it to be open.
bool is_reached_by_others(const Settings& settings);
// Before anything is created on disk: fails with invalid if the settings leave a dialect open.
Result<void> check_exposure(const Settings& settings, const Credentials& credentials);
// After the data directory is opened: fails with invalid if its data leave a dialect open.
Result<void> check_exposure(const Settings& settings, const Credentials& credentials,
                            const Ports& ports);

}  // namespace mayfly::app
