// Collections, and the indexes that are made with them.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The index that the request names, made where it is not there. Fails where the name is none.
Result<DatabaseInfoPtr> index_or_new(const Call& call);

// Makes it where it is not there; `body` says its mapping, which comes to that of one that is.
// Fails where the name or the mapping is none.
Result<void> make_collection(const Call& call, const DatabaseInfo& index, const std::string& name,
                             const Value& body);

}  // namespace mayfly::kuzzle
