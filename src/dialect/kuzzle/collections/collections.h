// Creates collections, and their indexes where these are missing.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

enum class MissingIndex { refused, made };

// Creates the collection that the request names if it does not exist, in one commit with its index.
// `body` holds the mapping; if the collection exists, it is merged into the existing mapping. Fails
// if a name or the mapping is not valid.
Result<void> make_collection(const KuzzleCall& call, const Value& body, MissingIndex missing);

}  // namespace mayfly::kuzzle
