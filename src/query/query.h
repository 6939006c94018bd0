// Query: which rows are wanted, as an immutable tree; and, once planned (planning/planner.h), how
// they are got: the same tree with an Access in place of each Scan and Lookup.
//
// A row is what slot 0 of expressions means: a document, and after Project or Group a value. Each
// Unnest binds one more slot. Without a Sort the order of rows is that of the access path: encoded
// keys, or an index.
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

struct Query;
using QueryPtr = std::shared_ptr<const Query>;

// --- leaves ---

// All documents that the lens sees.
struct Scan {
  CollectionPtr collection;
  Lens lens;
  // Set: only documents of this routing. Collections whose documents have no routing set it to the
  // empty bytes, which is what makes an id a key; unset means documents of all routings, among
  // which an id is not unique.
  std::optional<Bytes> routing;
};

// The documents of these keys that the lens sees, in the order of the list; of a key that stands
// there twice, twice.
struct Lookup {
  CollectionPtr collection;
  Lens lens;
  std::vector<DocumentKey> keys;
};

struct Values {
  std::vector<Value> rows;
};

// The one row that a nested query stands in (running/nested.h): its slots mean there what they mean
// around it.
struct Outer {};

// --- what is made of rows ---

// The rows for which the condition is true.
struct Filter {
  QueryPtr input;
  ExprPtr condition;
};

// Each row becomes this value, with the metadata of its document; a row whose value is missing is
// left out.
struct Project {
  QueryPtr input;
  ExprPtr value;
};

// Each row once for each item of the array, which stands in `slot`; not at all where there is no
// array.
struct Unnest {
  QueryPtr input;
  Slot slot = 0;
  ExprPtr over;
};

struct SortKey {
  ExprPtr value;
  bool is_descending = false;
  // Null and what is missing are equal and greater than everything else: the order is
  // order_null_greatest().
  bool null_is_greatest = false;
};
// The order of rows that are equal in all keys: by document key (and items of an Unnest), or
// whichever costs least. The plan says which it has become; pages of one query keep to it
// (Bookmark).
enum class Ties : std::uint8_t { any, ascending, descending };
// By the order of all values.
struct Sort {
  QueryPtr input;
  std::vector<SortKey> keys;
  Ties ties = Ties::any;
  std::optional<std::size_t> rows_max;  // set by the planner: no more are wanted
  // Set by the planner: the input comes in the order of what an index holds of the keys, so only
  // rows of which it holds the same are to be sorted; or in this very order, by document keys.
  bool sorts_runs = false;
  // Set by the planner: of rows that are equal in the first key one is enough.
  bool one_of_each = false;
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
// One row for each combination of key values, in the order of these: an object of the keys and
// aggregates by name, without what is missing. Without keys it is one row, also over no rows. In a
// nested query the object stands in a slot of its own, beside the row around it.
struct Group {
  QueryPtr input;
  std::vector<Named> keys;
  std::vector<NamedAggregate> aggregates;
  Slot slot = 0;
};

struct Slice {
  QueryPtr input;
  std::size_t offset = 0;
  std::optional<std::size_t> limit;
};

// Each value once: the first row that has it.
struct Distinct {
  QueryPtr input;
  bool is_sorted = false;  // set by the planner: equal values follow one another
};

// The rows of the first input, then those of the second …
struct Concat {
  std::vector<QueryPtr> inputs;
};

// --- how documents are got; made by the planner only ---

// from <= bytes < to; an empty `to` is the end.
struct ByteRange {
  Bytes from;
  Bytes to;
  bool operator==(const ByteRange&) const = default;
};

// Encoded keys in this range: the collection, or under another lens its history or trash merged in.
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
  std::vector<ByteRange> ranges;  // of positions, ascending and apart
  bool reverse = false;
  // A document may have several entries in the ranges: the first that is met stands for it.
  bool may_repeat = false;
};

struct Access {
  CollectionPtr collection;
  Lens lens;
  std::optional<Bytes> routing;
  std::variant<KeyScan, Points, IndexScan> path;
  ExprPtr served;          // what the path takes care of; null: nothing
  ExprPtr residual;        // what each document must be asked; null: nothing
  bool is_current = true;  // the lens sees newest versions only
  std::string reason;      // for explain
  bool is_guess = false;   // good only where the path has few entries (Planning::guesses)
};

struct Query {
  std::variant<Scan, Lookup, Values, Outer, Filter, Project, Unnest, Sort, Group, Slice, Distinct,
               Concat, Access>
      node;
  SizeBounds bounds = {};  // of the root: what each expression of the whole tree may be

  template <class Node>
  const Node* as() const {
    return std::get_if<Node>(&node);
  }
};

template <class Node>
QueryPtr make(Node node) {
  return std::make_shared<const Query>(Query{std::move(node)});
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
// The same query, whose expressions may be that large.
QueryPtr bounded(const QueryPtr& query, const SizeBounds& bounds);

// --- the whole tree ---

std::vector<QueryPtr> inputs_of(const Query& query);
ExprList expressions_of(const Query& query);  // of the node itself
// The same node over other inputs; the same pointer where none has changed.
using Rewrite = std::function<QueryPtr(const QueryPtr&)>;
QueryPtr with_inputs(const QueryPtr& query, const Rewrite& rewrite);
// The same node with each of its expressions replaced.
using RewriteExpr = std::function<ExprPtr(const ExprPtr&)>;
QueryPtr with_expressions(const QueryPtr& query, const RewriteExpr& rewrite);

// Fails with too_large over a bound, and with internal where an expression names a slot that
// nothing binds. The bounds are those of the query that was asked.
Result<void> check(const Query& query, const SizeBounds& bounds = {});

// Indented text, one node a line. Instants of lenses are not in it.
std::string render(const Query& query);
// Which query it is, whenever it is asked: equal for equal queries over the same collections, and
// for no others.
std::string identity(const Query& query);
// A hash of that.
std::uint64_t fingerprint(const Query& query);

}  // namespace mayfly::query
