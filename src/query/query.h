// Query: which rows to return, as an immutable tree. How they are read is a plan, which the planner
// makes of the query (plan.h, planning/planner.h).
//
// A node with inputs is a template on the type of their tree, because a plan has the same nodes:
// FilterOf<Query> is a filter in a query, FilterOf<PlanTree> one in a plan. So neither tree can
// contain a node of the other.
//
// Slot 0 of an expression is the row: a document, and after Project or Group a value. Each Unnest
// binds one more slot. Without a Sort, rows come in the order of the access path: by encoded key,
// or by an index.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/catalog/catalog.h"
#include "db/rows/document.h"
#include "expr/aggregate.h"
#include "expr/analyse.h"
#include "expr/expr.h"
#include "lifetime/lens.h"

namespace mayfly::query {

template <class Tree>
using TreePtr = std::shared_ptr<const Tree>;
struct Query;
using QueryPtr = TreePtr<Query>;

// --- leaves ---

// All documents that the lens sees.
struct Scan {
  CollectionPtr collection;
  Lens lens;
  // If set, only documents of this routing. Collections whose documents have no routing set it to
  // the empty bytes; then an id alone is a key. If unset, documents of all routings, among which an
  // id is not unique.
  std::optional<Bytes> routing;
};

// The documents of these keys that the lens sees, in the order of the list. A key that is listed
// twice returns its document twice.
struct Lookup {
  CollectionPtr collection;
  Lens lens;
  std::vector<DocumentKey> keys;
};

struct Values {
  std::vector<Value> rows;
};

// The single row that surrounds a nested query (running/nested.h). Its slots have the same meaning
// inside the nested query as around it.
struct Outer {};

// --- operations on rows ---

// The rows for which the condition is true.
template <class Tree>
struct FilterOf {
  TreePtr<Tree> input;
  ExprPtr condition;
};
using Filter = FilterOf<Query>;

// Replaces each row by this value; the metadata of its document stays. A row whose value is missing
// is left out.
template <class Tree>
struct ProjectOf {
  TreePtr<Tree> input;
  ExprPtr value;
};
using Project = ProjectOf<Query>;

// Repeats each row for each item of the array, which is bound to `slot`. A row without an array is
// left out.
template <class Tree>
struct UnnestOf {
  TreePtr<Tree> input;
  Slot slot = 0;
  ExprPtr over;
};
using Unnest = UnnestOf<Query>;

struct SortKey {
  ExprPtr value;
  bool is_descending = false;
  // Null and missing values are equal, and greater than all others: the order is
  // order_null_greatest().
  bool null_is_greatest = false;
};
// The order of rows that are equal in all keys: by document key (and items of an Unnest), or `any`,
// whichever costs least. The plan says which order it has, and all pages of a query keep it
// (Bookmark).
enum class Ties : std::uint8_t { any, ascending, descending };
// Sorts by the order of all values.
struct Sort {
  QueryPtr input;
  std::vector<SortKey> keys;
  Ties ties = Ties::any;
};

struct Named {
  std::string name;
  ExprPtr value;
};
struct NamedAggregate {
  std::string name;
  const Aggregate* aggregate = nullptr;
  ExprPtr value;
};
// One row for each combination of key values, in their order. The row is an object of the keys and
// aggregates by name; missing values are left out. Without keys it is one row, even if the input
// has none. In a nested query, `slot` holds the object beside the surrounding row.
template <class Tree>
struct GroupOf {
  TreePtr<Tree> input;
  std::vector<Named> keys;
  std::vector<NamedAggregate> aggregates;
  Slot slot = 0;
};
using Group = GroupOf<Query>;

template <class Tree>
struct SliceOf {
  TreePtr<Tree> input;
  std::size_t offset = 0;
  std::optional<std::size_t> limit;
};
using Slice = SliceOf<Query>;

// Each value once: the first row that has it.
struct Distinct {
  QueryPtr input;
};

// The rows of the first input, then those of the second …
template <class Tree>
struct ConcatOf {
  std::vector<TreePtr<Tree>> inputs;
};
using Concat = ConcatOf<Query>;

struct Query {
  std::variant<Scan, Lookup, Values, Outer, Filter, Project, Unnest, Sort, Group, Slice, Distinct,
               Concat>
      node;
  SizeBounds bounds = {};  // of the root: size limits of each expression in the tree

  template <class Node>
  const Node* as() const {
    return std::get_if<Node>(&node);
  }
};

template <class Tree = Query, class Node>
TreePtr<Tree> make(Node node) {
  return std::make_shared<const Tree>(Tree{std::move(node)});
}

// --- builders ---

QueryPtr scan(CollectionPtr collection, const Lens& lens, std::optional<Bytes> routing = Bytes());
QueryPtr filter(QueryPtr input, ExprPtr condition);
QueryPtr project(QueryPtr input, ExprPtr value);
QueryPtr unnest(QueryPtr input, Slot slot, ExprPtr over);
QueryPtr sort(QueryPtr input, std::vector<SortKey> keys, Ties ties = Ties::any);
QueryPtr group(QueryPtr input, std::vector<Named> keys, std::vector<NamedAggregate> aggregates,
               Slot slot = 0);
QueryPtr slice(QueryPtr input, std::size_t offset, std::optional<std::size_t> limit);
QueryPtr distinct(QueryPtr input);
QueryPtr concat(std::vector<QueryPtr> inputs);
QueryPtr values(std::vector<Value> rows);
QueryPtr outer();
// The same query with these size limits for its expressions.
QueryPtr bounded(const QueryPtr& query, const SizeBounds& bounds);

// --- the whole tree ---

std::vector<QueryPtr> inputs_of(const Query& query);
ExprList expressions_of(const Query& query);  // of the node alone
// The same node over other inputs; the same pointer if none has changed.
using Rewrite = std::function<QueryPtr(const QueryPtr&)>;
QueryPtr with_inputs(const QueryPtr& query, const Rewrite& rewrite);
// The same node with each of its expressions replaced.
using RewriteExpr = std::function<ExprPtr(const ExprPtr&)>;
QueryPtr with_expressions(const QueryPtr& query, const RewriteExpr& rewrite);

// Fails with too_large over a bound, and with internal where an expression reads an unbound slot.
// `bounds` are those of the original query.
Result<void> check(const Query& query, const SizeBounds& bounds = {});

// Indented text, one node a line. It leaves out the instants of lenses.
std::string render(const Query& query);
// Identifies the query: equal for equal queries over the same collections, whenever they run, and
// different for all others.
std::string identity(const Query& query);
// A hash of identity().
std::uint64_t fingerprint(const Query& query);

}  // namespace mayfly::query
