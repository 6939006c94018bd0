// What of a filter a key range or an index can serve. A condition is usable where it compares a
// field of the row with a literal; a path takes over those it decides exactly, and the rest is
// asked of each document. An index of cut values also serves conditions that it cannot decide: it
// leaves out most of what does not meet them, and each document is asked again.
#pragma once

#include <optional>
#include <vector>

#include "query/query.h"

namespace mayfly::query {

// The range of encoded keys of one routing.
ByteRange keys_of_routing(BytesView routing);

// One usable condition: the values at `field` that it lets through. Where several values: exactly
// these.
struct Condition {
  // What of the field it lets through: its value; an item, where it is an array; or either.
  enum class About : std::uint8_t { value, item, either };
  ExprPtr source;
  Field field;
  ExprPtr expression = nullptr;  // set: it is about the value of this one, and about no field
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

// About the value of a field, or of `field ?? null`. Nothing where the expression is of no such
// form.
std::optional<Condition> condition_of(const ExprPtr& e);
// `any(field as item: …)` and `array_contains(field, …)` about an item; with `or` and the same
// asked of the field, about either.
std::optional<Condition> item_condition_of(const ExprPtr& e);

// Whether an entry's part for that field is made of the key's value.
bool is_value_of(const SortKey& key, const IndexField& indexed);

// How well a path serves an access.
struct Match {
  std::variant<KeyScan, IndexScan> path;
  ExprList served;
  ExprList residual;  // all but those served that the path decides by itself
  std::size_t equalities = 0;
  bool has_alternatives = false;  // one of its fields with several values
  bool has_range = false;
  // Of the order asked. An index of cut values gives runs: what comes in another run comes behind,
  // and the documents of one run, whose values are cut to the same, are to be sorted.
  enum class Order : std::uint8_t { none, runs, whole };
  Order order = Order::none;
};

// What the index makes of the conditions of `access` and the order of `sort` (null: none asked).
// Nothing where it helps neither.
std::optional<Match> match_index(const Access& access, const Index& index, const Sort* sort);
// The same for the keys themselves, where the access is to one routing: a range of ids, and their
// order.
std::optional<Match> match_keys(const Access& access, const Sort* sort);

}  // namespace mayfly::query
