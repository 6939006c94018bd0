// The change feed with every version and removal, expiries among them.
// Source: spec cosmos.md, section 13.
#pragma once

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

// Answers with the changes after `position`, up to `now`. Fails with invalid if they are no longer
// kept, or if the container keeps no feed.
Result<net::Response> answer_all_versions(CosmosCall& call, Instant now, const Container& container,
                                          Instant position);

}  // namespace mayfly::cosmos
