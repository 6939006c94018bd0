// Plan: how the rows of a query are read.
#pragma once

#include "query/query.h"

namespace mayfly::query {

struct Plan {
  QueryPtr query;
  QueryPtr root;  // over Access instead of Scan and Lookup
  // The order of ties that the outermost Sort has.
  Ties ties = Ties::any;
  // The index that the documents are read by; 0: none, or the query has several leaves.
  IndexId index = 0;
};

// How a plan was chosen, so that the next page reads in the same way (bookmark.h).
struct Choice {
  IndexId index = 0;
  Ties ties = Ties::any;
  bool operator==(const Choice&) const = default;
};
// A Sort does not depend on the path: its own order says where a page stopped.
inline Choice choice_of(const Plan& plan) {
  return {plan.ties == Ties::any ? plan.index : 0, plan.ties};
}
inline bool is_sorted(const Choice& choice) {
  return choice.ties != Ties::any;
}

// The leaf below a chain of single inputs; null if the tree has several leaves, or none that reads
// documents.
const Access* only_access(const Query& query);

// Checks a finished plan. A failure is a defect of the planner. Fails with internal.
Result<void> check_plan(const Query& root, const SizeBounds& bounds = {});

}  // namespace mayfly::query
