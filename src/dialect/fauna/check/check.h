// The static check of a query: finds errors before it runs, and the type of its result.
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
  Diagnostics errors;    // empty if the query may run
  Diagnostics warnings;  // for the summary
};

// `values` are the template's values, then the arguments, in slot order; they are typed as
// literals. Fails with timed_out, or as `reading` fails.
Result<CheckedQuery> check_query(Reading& reading, Meter meter, const Program& program,
                                 std::span<const FqlValue> values);

}  // namespace mayfly::fauna
