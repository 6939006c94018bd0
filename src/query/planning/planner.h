// The planner: rules applied to the query in order (rules/rules.h), each leaving an equivalent
// tree. Correctness comes first: an index is used only where it reaches back to the lens's
// instant, and what it does not decide exactly is asked of every document again.
#pragma once

#include <optional>

#include "base/clock.h"
#include "query/plan.h"

namespace mayfly::query {

// Paths that narrow the documents, but need a sort or leave a partition's own range: good where
// they have few entries, which only the store can tell (plan_on in run.h).
enum class Guesses : std::uint8_t {
  left,
  partitions,  // the whole range of the one partition that is asked for
  taken        // an index, or else such a range
};

struct Planning {
  Instant now;  // of the view that the plan will run on
  // For a further page: what the first page was planned with. Where that had a Sort, this one has
  // it too, with the same order of ties. Otherwise an index that is not named here is not used.
  std::optional<Choice> keep;
  Guesses guesses = Guesses::left;
};

// Fails as check(query) does.
Result<Plan> plan(const QueryPtr& query, const Planning& planning);

}  // namespace mayfly::query
