// Plan: how the rows of a query are got.
#pragma once

#include "query/query.h"

namespace mayfly::query {

struct Plan {
  QueryPtr asked;
  QueryPtr root;  // over Access instead of Scan and Lookup
  // Of the outermost Sort: what its ties have become.
  Ties ties = Ties::any;
  // The index that the documents come from, 0 if from none (or where the query has several leaves).
  IndexId index = 0;
};

// How a plan was chosen, so that the next page is got in the same way (bookmark.h).
struct Choice {
  IndexId index = 0;
  Ties ties = Ties::any;
  bool operator==(const Choice&) const = default;
};
// Under a Sort any path will do: its order says where a page stopped.
inline Choice choice_of(const Plan& plan) {
  return {plan.ties == Ties::any ? plan.index : 0, plan.ties};
}
inline bool is_sorted(const Choice& choice) {
  return choice.ties != Ties::any;
}

// The leaf below a chain of single inputs; null where the tree has several leaves or none that
// reads documents.
const Access* only_access(const Query& query);

// What a finished plan must be; a failure is a defect of ours. Fails with internal.
Result<void> check_plan(const Query& root, const SizeBounds& bounds = {});

}  // namespace mayfly::query
