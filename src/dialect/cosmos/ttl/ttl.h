// TTL as containers and documents spell it: whole seconds, or -1 for never.
// Source: spec cosmos.md, section 10.
#pragma once

#include <optional>

#include "base/result.h"
#include "lifetime/lifetime.h"
#include "value/value.h"

namespace mayfly::cosmos {

// A container's `defaultTtl`; missing: TTL is off. Fails with invalid.
Result<Default> parse_default_ttl(const Value& sent);
// The reported value of a collection's default; missing if TTL is off.
Value reported_default_ttl(const Default& in_force);

// Checks a document's `ttl`, if it has one. Fails with invalid.
Result<void> check_ttl(const Value& sent);

}  // namespace mayfly::cosmos
