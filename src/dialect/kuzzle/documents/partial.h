// Several documents in one request: each succeeds or fails by itself, and both are told.
#pragma once

#include <optional>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// What was done for one of several: an error that is its own is kept in `own` (which is nothing
// otherwise), any other ends the request.
Result<void> keep_own_error(Result<void> done, std::optional<Error>& own);

// Tells of one that failed, beside those that did not. `sent`: what names it.
void note_failure(Call& call, Object sent, const Error& error);

}  // namespace mayfly::kuzzle
