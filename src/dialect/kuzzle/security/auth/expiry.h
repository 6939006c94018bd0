// The requested lifetime of a token.
#pragma once

#include <optional>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The argument `expiresIn`: "1h", or milliseconds; -1 is for ever: Span::infinite(). Nothing if it
// is missing. Fails with invalid above `most`, unless that is infinite.
Result<std::optional<Span>> requested_expiry(const KuzzleCall& call, Span most);

}  // namespace mayfly::kuzzle
