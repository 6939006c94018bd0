// The planner makes a plan of a query, by rules in order (rules/rules.h). Each leaves an equivalent
// tree. Correctness comes first: an index is used only if it reaches back to the instant of the
// lens, and conditions that it does not decide exactly are evaluated on every document again.
#pragma once

#include <optional>

#include "base/clock.h"
#include "query/plan.h"

namespace mayfly::query {

// A guess is a path that narrows the documents, but needs a sort or reads more than one partition.
// It is good if it has few entries, which only the store can tell (plan_on in run.h). This says
// which guesses a plan may contain.
enum class Guesses : std::uint8_t {
  none,
  partitions,  // the whole range of the one partition that the query names
  all          // an index, or otherwise such a range
};

struct Planning {
  Instant now;  // of the view that the plan will run on
  // For a later page: how the first page was planned. If that plan had a Sort, this one has it too,
  // with the same order of ties. Otherwise only the index named here is used.
  std::optional<PlanChoice> keep;
  Guesses guesses = Guesses::none;
};

// Fails as check(query) does.
Result<Plan> plan(const QueryPtr& query, const Planning& planning);

// The plan of a query within an expression (running/nested.h), which reads no collection. No rule
// is applied: each node stays as it is.
PlanTreePtr plan_nested(const Query& query);

}  // namespace mayfly::query
