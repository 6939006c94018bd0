// Ids of databases, containers and what else has a name. Source: spec cosmos.md, section 1.1.
#pragma once

#include <string>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// The `id` of a body. Fails with invalid in the words of the service.
Result<std::string> read_name(const Value& body);

}  // namespace mayfly::cosmos
