// Other machines are let in on purpose only: whether a server that they reach asks for credentials.
#pragma once

#include "app/ports/ports.h"
#include "base/result.h"
#include "base/service/settings.h"
#include "dialect/dialect.h"

namespace mayfly::app {

// Whether other machines reach the server, and `insecure` does not say that it may be open.
bool is_reached_by_others(const Settings& settings);
// Before anything is made on disk: whether the settings leave a dialect open. Fails with invalid.
Result<void> check_exposure(const Settings& settings, const Credentials& credentials);
// Once the data are open, which may leave a dialect open, too. Fails with invalid.
Result<void> check_exposure(const Settings& settings, const Credentials& credentials,
                            const Ports& ports);

}  // namespace mayfly::app
