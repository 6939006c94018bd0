// Functions in JavaScript that queries call as udf.name(…). Source: spec cosmos.md, sections 18 and
// 24.
#pragma once

#include "db/read/view.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/lower.h"
#include "dialect/dialect.h"
#include "net/message.h"

namespace mayfly::cosmos {

// The user functions of a container, for one query. The result holds the view, and the thread of
// the query releases it. No process is taken before a function is found; begin_scripts() sets when
// it is stopped.
sql::UserFunctions user_functions(const Services& services, const Container& container, View& view,
                                  Instant answer_by);

}  // namespace mayfly::cosmos
