// Several documents in one request: each succeeds or fails by itself, and the answer lists both.
#pragma once

#include <optional>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Handles the outcome for one of several documents. An error of that document alone is stored in
// `own` (which is otherwise reset); any other error fails the request.
Result<void> keep_own_error(Result<void> done, std::optional<Error>& own);

// Adds a failed document to the answer's errors. `sent` identifies it.
void add_partial_error(KuzzleCall& call, Object sent, const Error& error);

}  // namespace mayfly::kuzzle
