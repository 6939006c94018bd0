// Collections, and the indexes that are made with them.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

enum class MissingIndex { refused, made };

// Makes the collection that the request names where it is not there, in one commit with its index;
// `body` says its mapping, which comes to that of one that is there. Fails where a name or the
// mapping is none.
Result<void> make_collection(const Call& call, const Value& body, MissingIndex missing);

}  // namespace mayfly::kuzzle
