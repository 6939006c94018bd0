// Functions in JavaScript that queries call as udf.name(…). Source: spec cosmos.md, sections 18 and
// 24.
#pragma once

#include "db/view.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/lower.h"
#include "net/message.h"

namespace mayfly::cosmos {

// When the scripts of a request that begins now are stopped, on the scale of monotonic_now().
Instant script_stop(const net::Request& request);

// Those of a container, for one query: what it gives holds the view, and is let go of by the thread
// that asked. No engine starts before a function is found.
sql::UserFunctions user_functions(const Container& container, View& view, Instant stop_at);

}  // namespace mayfly::cosmos
