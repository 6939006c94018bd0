// Which entries of an index a filter leaves to be read: ranges of positions, and what is known of
// the entries in them.
#pragma once

#include <optional>
#include <vector>

#include "query/planning/access.h"

namespace mayfly::query {

// A part of the filter. All parts must be true.
struct Conjunct {
  ExprPtr source;
  std::optional<Condition> condition = std::nullopt;
  bool is_served = false;
  bool is_decided = false;  // by the index alone; otherwise each document is checked again
};

// What is known of a field of the index, among the entries of the ranges.
struct FieldState {
  bool is_fixed = false;       // its part of the position is the same in all entries
  bool has_one_value = false;  // its value is the same in all documents
  bool is_nothing = false;     // its value is null or missing in all documents
  bool is_ordered = false;     // entries are ordered by whole values, not by truncated ones
  bool is_nullable = true;     // some values may be null or missing
};

struct NarrowedIndex {
  std::vector<ByteRange> ranges;   // of positions, ascending and disjoint; some may be empty
  std::vector<FieldState> states;  // of each field of the index
  std::size_t fixed = 0;           // how many leading fields have one value or a few
  std::size_t equalities = 0;      // how many of these have one
  std::size_t alternatives = 0;    // how many of these have a few
  bool has_range = false;          // the ranges also narrow further fields
  bool can_narrow = false;         // no part of the filter may fail
  std::vector<Conjunct> parts;     // of the filter
  ExprList served;                 // the parts that the ranges narrow by

  bool has_alternatives() const { return alternatives > 0; }
};

// The ranges by the conditions of `access`.
NarrowedIndex narrowed_index(const Access& access, const Index& index);
// Excludes entries without the first field that is not fixed, if the filter requires it: they lie
// at one end. For an index that gives an order.
void skip_missing(NarrowedIndex& narrowed, const Index& index);

// A unique index of a routing holds null for missing values, so it does not distinguish the two.
inline bool has_null_for_missing(const Index& index) {
  return index.unique == Uniqueness::of_routing;
}

}  // namespace mayfly::query
