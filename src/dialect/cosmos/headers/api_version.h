// The versions of the service's API, which are dates: a request names one of them.
#pragma once

#include <string_view>

#include "base/result.h"

namespace mayfly::cosmos {

// Fails with invalid and the service's message if the version is missing or unknown.
Result<void> check_api_version(std::string_view version);

}  // namespace mayfly::cosmos
