// The planner's rules. Each is a function from a tree to an equivalent one, in a file of its own.
// The lists give the order in which each is applied once: the rules for queries, then begin_plan(),
// then the rules for plans.
#pragma once

#include <string_view>

#include "query/plan.h"
#include "query/planning/planner.h"

namespace mayfly::query {

// --- simpler queries ---

QueryPtr fold_constants(const QueryPtr& query);
QueryPtr forget_missing_in_filters(const QueryPtr& query);
QueryPtr gather_alternatives(const QueryPtr& query);
QueryPtr push_filters_down(const QueryPtr& query);

struct QueryRule {
  std::string_view name;
  QueryPtr (*apply)(const QueryPtr&);
};

inline constexpr QueryRule query_rules[] = {
    {"fold constants", fold_constants},
    {"forget missing in filters", forget_missing_in_filters},
    {"gather alternatives", gather_alternatives},
    {"push filters down", push_filters_down},
};

// --- from a query to a plan ---

// The plan that reads every collection from end to end. `now` is that of the view that the plan
// will run on.
PlanTreePtr begin_plan(const Query& query, Instant now);

// --- better plans ---

PlanTreePtr use_points(const PlanTreePtr& tree, const Planning& planning);
PlanTreePtr skip_repetitions(const PlanTreePtr& tree, const Planning& planning);
PlanTreePtr choose_paths(const PlanTreePtr& tree, const Planning& planning);
PlanTreePtr settle_ties(const PlanTreePtr& tree, const Planning& planning);
PlanTreePtr bound_sorts(const PlanTreePtr& tree, const Planning& planning);

struct PlanRule {
  std::string_view name;
  PlanTreePtr (*apply)(const PlanTreePtr&, const Planning&);
};

inline constexpr PlanRule plan_rules[] = {
    {"use points", use_points},     {"skip repetitions", skip_repetitions},
    {"choose paths", choose_paths}, {"settle ties", settle_ties},
    {"bound sorts", bound_sorts},
};

}  // namespace mayfly::query
