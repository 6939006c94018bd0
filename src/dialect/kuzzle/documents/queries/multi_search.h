// document:search in several collections at once, which version 2 names as `targets`:
//   [{"index": "i", "collections": ["c", "d"]}, …]
// They are searched in one state of everything, and their hits become one list.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Whether the request names targets, as an argument or in its body. Fails with invalid where it
// names a place besides.
Result<bool> has_targets(const Call& call);
Result<std::string> search_targets(const Call& call);

}  // namespace mayfly::kuzzle
