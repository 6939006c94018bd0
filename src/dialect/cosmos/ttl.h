// TTL as containers and documents spell it: whole seconds, or -1 for never.
// Source: spec cosmos.md, section 10.
#pragma once

#include <optional>

#include "base/result.h"
#include "db/transaction.h"
#include "dialect/cosmos/containers/definition.h"
#include "lifetime/lifetime.h"
#include "value/value.h"

namespace mayfly::cosmos {

// A container's `defaultTtl`; missing: TTL is off. Fails with invalid.
Result<Default> parse_default_ttl(const Value& asked);
// What is told of a collection's default; missing where TTL is off.
Value told_default_ttl(const Default& in_force);

// A document's `ttl`. Fails with invalid.
Result<Lifetime> parse_ttl(const Value& asked);
// What a document's body asks for in this container, also where a property of it starts the clock.
Result<Lifetime> lifetime_in(const Value& body, const Definition& definition);

}  // namespace mayfly::cosmos
