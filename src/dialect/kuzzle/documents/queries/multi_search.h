// document:search in several collections at once, which version 2 names as `targets`:
//   [{"index": "i", "collections": ["c", "d"]}, …]
// All are searched in one snapshot, and their hits are merged into one list.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Whether the request names targets, as an argument or in its body. Fails with invalid if it also
// names an index or a collection.
Result<bool> has_targets(const KuzzleCall& call);
Result<std::string> search_targets(const KuzzleCall& call);

}  // namespace mayfly::kuzzle
