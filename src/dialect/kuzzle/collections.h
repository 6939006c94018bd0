// Collections.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Makes it where it is not there; `body` says its mapping, which comes to that of one that is.
// Fails where the name or the mapping is none.
Result<void> make_collection(const Call& call, const DatabaseInfo& index, const std::string& name,
                             const Value& body);

}  // namespace mayfly::kuzzle
