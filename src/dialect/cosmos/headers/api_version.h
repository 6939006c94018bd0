// The versions of the service's API, which are dates: a request names one of them.
#pragma once

#include <string_view>

#include "base/result.h"

namespace mayfly::cosmos {

// Fails with invalid, in the words of the service, for none and for any other.
Result<void> check_api_version(std::string_view version);

}  // namespace mayfly::cosmos
