// Who may ask: a bearer key, unless the server is open to all.
#pragma once

#include "dialect/dialect.h"

namespace mayfly::native {

// Fails with unauthenticated.
Result<void> authenticate(const net::Request& request, const Credentials& credentials);

}  // namespace mayfly::native
