// Plan: how the rows of a query are read, as an immutable tree. The planner makes it of a query
// (planning/planner.h), and only a plan is run (run.h). In place of each Scan and Lookup of the
// query stands an Access, and the nodes say what the planner has found out about their inputs.
#pragma once

#include "query/query.h"

namespace mayfly::query {

struct PlanTree;
using PlanTreePtr = TreePtr<PlanTree>;

// --- the leaf that reads documents ---

// from <= bytes < to; an empty `to` is the end.
struct ByteRange {
  Bytes from;
  Bytes to;
  bool operator==(const ByteRange&) const = default;
};

// Reads encoded keys in this range: of the collection, or under another lens with its history or
// trash merged in.
struct KeyScan {
  ByteRange range;
  bool reverse = false;
};
struct Points {
  std::vector<DocumentKey> keys;
  bool are_sorted = false;  // by encoded key, without repetition
};
struct IndexScan {
  Index index;
  std::vector<ByteRange> ranges;  // of positions, ascending and disjoint
  bool reverse = false;
  // A document may have several entries in the ranges; only the first one read counts.
  bool may_repeat = false;
};

struct Access {
  CollectionPtr collection;
  Lens lens;
  std::optional<Bytes> routing;
  std::variant<KeyScan, Points, IndexScan> path;
  ExprPtr served;          // the conditions that the path covers; null: none
  ExprPtr residual;        // the conditions to evaluate on each document; null: none
  bool is_current = true;  // the lens sees newest versions only
  std::string reason;      // for explain
  bool is_guess = false;   // good only if the path has few entries (Planning::guesses)
};

// --- operations on rows ---

using PlannedFilter = FilterOf<PlanTree>;
using PlannedProject = ProjectOf<PlanTree>;
using PlannedUnnest = UnnestOf<PlanTree>;
using PlannedGroup = GroupOf<PlanTree>;
using PlannedSlice = SliceOf<PlanTree>;
using PlannedConcat = ConcatOf<PlanTree>;

struct PlannedSort {
  PlanTreePtr input;
  std::vector<SortKey> keys;
  Ties ties = Ties::any;
  std::optional<std::size_t> rows_max = std::nullopt;  // more are not needed
  // The input comes in the order of an index. If the index holds truncated values, only rows with
  // the same truncated value remain to be sorted. If document keys give this very order, nothing
  // does.
  bool sorts_runs = false;
  bool one_of_each = false;  // one row for each value of the first key is enough
};

struct PlannedDistinct {
  PlanTreePtr input;
  bool is_sorted = false;  // equal values are adjacent
};

struct PlanTree {
  std::variant<Access, Values, Outer, PlannedFilter, PlannedProject, PlannedUnnest, PlannedSort,
               PlannedGroup, PlannedSlice, PlannedDistinct, PlannedConcat>
      node;

  template <class Node>
  const Node* as() const {
    return std::get_if<Node>(&node);
  }
};

// --- the whole tree, as for a query ---

std::vector<PlanTreePtr> inputs_of(const PlanTree& tree);
ExprList expressions_of(const PlanTree& tree);  // of the node alone
using RewritePlan = std::function<PlanTreePtr(const PlanTreePtr&)>;
PlanTreePtr with_inputs(const PlanTreePtr& tree, const RewritePlan& rewrite);
// A failure is a defect of the planner. Fails as for a query, and with internal if a path cannot
// be used through its lens.
Result<void> check(const PlanTree& tree, const SizeBounds& bounds = {});
std::string render(const PlanTree& tree);
// Equal for trees that read the same, except for the ranges and the list of keys that they read.
std::string identity(const PlanTree& tree);

// The leaf below a chain of single inputs; null if the tree has several leaves, or none that reads
// documents.
const Access* only_access(const PlanTree& tree);

// --- plans ---

struct Plan {
  QueryPtr query;
  PlanTreePtr root;
  // The order of ties that the outermost sort has.
  Ties ties = Ties::any;
  // The index that the documents are read by; 0: none, or the query has several leaves.
  IndexId index = 0;
};

// How a plan was chosen, so that the next page reads in the same way (bookmark.h).
struct PlanChoice {
  IndexId index = 0;
  Ties ties = Ties::any;
  bool operator==(const PlanChoice&) const = default;
};
// A sort does not depend on the path: its own order says where a page stopped.
inline PlanChoice choice_of(const Plan& plan) {
  return {plan.ties == Ties::any ? plan.index : 0, plan.ties};
}
inline bool is_sorted(const PlanChoice& choice) {
  return choice.ties != Ties::any;
}

}  // namespace mayfly::query
