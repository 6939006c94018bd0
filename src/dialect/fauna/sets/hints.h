// Performance hints: what a set costs more than it needs, for clients that ask for hints
// (`x-performance-hints`).
#pragma once

#include "dialect/fauna/sets/set.h"
#include "query/plan.h"

namespace mayfly::fauna {

// Adds them to what the query logs, each once, where its client wants any.
void note_hints(Interpreter& run, const FqlSet& set, const query::Plan& plan);

}  // namespace mayfly::fauna
