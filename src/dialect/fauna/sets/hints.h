// Performance hints about avoidable costs of a set, for clients that request them
// (`x-performance-hints`).
#pragma once

#include "dialect/fauna/sets/set.h"
#include "query/plan.h"

namespace mayfly::fauna {

// Adds hints to the query's logs, each only once, if its client requested them.
void log_hints(Interpreter& run, const FqlSet& set, const query::Plan& plan);

}  // namespace mayfly::fauna
