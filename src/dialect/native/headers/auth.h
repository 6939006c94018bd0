// Authentication by a bearer key, unless the server is open.
#pragma once

#include "dialect/dialect.h"

namespace mayfly::native {

// Fails with unauthenticated.
Result<void> authenticate(const net::Request& request, const Credentials& credentials);

}  // namespace mayfly::native
