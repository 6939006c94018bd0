// Which parts of a filter a key range or an index can serve. A condition is usable if it compares a
// field of the row with a literal. A path serves the conditions that it decides exactly; the others
// are evaluated on each document. An index of truncated values also serves conditions that it
// cannot decide: it excludes most documents that do not fulfil them, and each remaining document is
// checked again.
#pragma once

#include <optional>
#include <vector>

#include "query/plan.h"

namespace mayfly::query {

// The range of encoded keys of one routing.
ByteRange keys_of_routing(BytesView routing);

// One usable condition: the values of `field` that it accepts. If `values` is not empty, it accepts
// exactly these.
struct Condition {
  // What the condition compares: the value of the field, an item of it if it is an array, or
  // either.
  enum class About : std::uint8_t { value, item, either };
  ExprPtr source;
  Field field;
  ExprPtr expression = nullptr;  // if set, the condition compares its value and not a field
  About about = About::value;
  std::vector<Value> values;  // equality with one of them; empty: a range
  // A range within one kind of values.
  struct Bound {
    Value value;
    bool is_included = true;
  };
  std::optional<Bound> from;
  std::optional<Bound> to;
};

// A condition on the value of a field, or of `field ?? null`. Empty if the expression has another
// form.
std::optional<Condition> condition_of(const ExprPtr& e);
// `any(field as item: …)` and `array_contains(field, …)` compare an item. Combined by `or` with the
// same comparison of the field, they compare either.
std::optional<Condition> item_condition_of(const ExprPtr& e);

// Whether the indexed field holds the value that the sort key has.
bool is_value_of(const SortKey& key, const IndexField& indexed);

// How well a path serves an access.
struct Match {
  std::variant<KeyScan, IndexScan> path;
  ExprList served;
  ExprList residual;  // all conditions that the path does not decide alone
  std::size_t equalities = 0;
  bool has_alternatives = false;  // one of its fields has several values
  bool has_range = false;
  // How much of the requested order the path gives. An index of truncated values gives runs: the
  // runs are in order, but within a run, whose truncated values are equal, the documents must be
  // sorted.
  enum class Order : std::uint8_t { none, runs, whole };
  Order order = Order::none;
};

// Which conditions of `access` and how much of the order of `sort` the index serves. `sort` may be
// null. Empty if the index helps with neither.
std::optional<Match> match_index(const Access& access, const Index& index, const PlannedSort* sort);
// The same as match_index() for the encoded keys: a range of ids and their order. Empty unless the
// access has one routing.
std::optional<Match> match_keys(const Access& access, const PlannedSort* sort);

}  // namespace mayfly::query
