// The static check of a query: what is wrong with it before it runs, and the type of what it gives.
#pragma once

#include <span>

#include "dialect/fauna/check/types/static_type.h"
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parsed.h"
#include "expr/evaluation/meter.h"

namespace mayfly::fauna {

struct CheckedQuery {
  StaticPtr type;
  Diagnostics errors;    // none: it may run
  Diagnostics warnings;  // for the summary
};

// `values`: of its template and its arguments, in the order of their slots; their types are those
// of literals. Fails with timed_out, and as the reading does.
Result<CheckedQuery> check_query(Reading& reading, Meter meter, const Program& program,
                                 std::span<const FqlValue> values);

}  // namespace mayfly::fauna
