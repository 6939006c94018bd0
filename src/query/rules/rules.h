// The planner's rules. Each is a function from a tree to an equivalent one, in a file of its own.
// The list gives the order in which each is applied once.
#pragma once

#include <span>
#include <string_view>

#include "query/planning/planner.h"
#include "query/query.h"

namespace mayfly::query {

QueryPtr fold_constants(const QueryPtr& query, const Planning& planning);
QueryPtr forget_missing_in_filters(const QueryPtr& query, const Planning& planning);
QueryPtr gather_alternatives(const QueryPtr& query, const Planning& planning);
QueryPtr push_filters_down(const QueryPtr& query, const Planning& planning);
QueryPtr begin_access(const QueryPtr& query, const Planning& planning);
QueryPtr use_points(const QueryPtr& query, const Planning& planning);
QueryPtr skip_repetitions(const QueryPtr& query, const Planning& planning);
QueryPtr choose_paths(const QueryPtr& query, const Planning& planning);
QueryPtr settle_ties(const QueryPtr& query, const Planning& planning);
QueryPtr bound_sorts(const QueryPtr& query, const Planning& planning);

struct Rule {
  std::string_view name;
  QueryPtr (*apply)(const QueryPtr&, const Planning&);
};

inline constexpr Rule rules[] = {
    {"fold constants", fold_constants},
    {"forget missing in filters", forget_missing_in_filters},
    {"gather alternatives", gather_alternatives},
    {"push filters down", push_filters_down},
    {"begin access", begin_access},
    {"use points", use_points},
    {"skip repetitions", skip_repetitions},
    {"choose paths", choose_paths},
    {"settle ties", settle_ties},
    {"bound sorts", bound_sorts},
};

}  // namespace mayfly::query
