// Ids of databases, containers and other named resources. Source: spec cosmos.md, section 1.1.
#pragma once

#include <string>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// The `id` of a body. Fails with invalid and the service's message.
Result<std::string> read_name(const Value& body);

}  // namespace mayfly::cosmos
