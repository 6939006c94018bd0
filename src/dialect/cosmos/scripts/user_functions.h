// Functions in JavaScript that queries call as udf.name(…). Source: spec cosmos.md, sections 18 and
// 24.
#pragma once

#include "db/read/view.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/lower.h"
#include "dialect/dialect.h"
#include "net/message.h"

namespace mayfly::cosmos {

// The user functions of a container, for one query. The result refers to the services, the
// container and the view, which outlive it. No process is taken before a function is found; then
// all found functions run in one, and hold it. script::begin_scripts() decides when it is stopped.
// Threads: the one that answers the query.
sql::UserFunctions user_functions(const Services& services, const Container& container, View& view,
                                  Instant answer_by);

}  // namespace mayfly::cosmos
