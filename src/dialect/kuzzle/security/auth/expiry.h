// The requested lifetime of a token.
#pragma once

#include <optional>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The argument `expiresIn`: "1h", or milliseconds. -1 is for ever, Span::infinite(), and is allowed
// only if `most` is infinite. Nothing if the argument is missing. Fails with invalid above `most`,
// and in any case above 1,000 years.
Result<std::optional<Span>> requested_expiry(const KuzzleCall& call, Span most);

}  // namespace mayfly::kuzzle
