// Which parts of a filter, and which order, an index serves.
#include <algorithm>

#include "expr/analyse.h"
#include "query/planning/access.h"
#include "query/planning/narrowed_index.h"

namespace mayfly::query {
namespace {

struct IndexOrder {
  Match::Order order = Match::Order::none;
  bool reverse = false;
};

// Matches a sort with the entries of the ranges: how much of its order they have, forwards or
// backwards.
class OrderMatcher {
 public:
  OrderMatcher(const Access& access, const Index& index, const NarrowedIndex& narrowed)
      : index_(index), narrowed_(narrowed), has_one_routing_(access.routing.has_value()) {}

  IndexOrder run(const PlannedSort& sort) const {
    constexpr IndexOrder none;
    if (has_null_for_missing(index_)) return none;
    std::vector<VaryingField> varying;
    for (std::size_t i = 0; i < index_.fields.size(); ++i) {
      if (!narrowed_.states[i].is_fixed) varying.push_back({index_.fields[i], narrowed_.states[i]});
    }
    // Behind its fields, an index is ordered by document key; in one routing, by id.
    const std::size_t own = varying.size();
    if (has_one_routing_) {
      varying.push_back({{Field::metadata("id")}, {.is_ordered = true, .is_nullable = false}});
    }
    std::optional<bool> reverse;
    bool is_whole = true;
    std::size_t next = 0;
    for (const SortKey& key : sort.keys) {
      if (!is_of_row(key)) return none;
      if (is_constant(key) || next > own) continue;  // an id leaves no ties
      if (next == varying.size() || !varying[next].has_order_of(key)) return none;
      const bool is_in_runs = index_.entries == Entries::cut && !varying[next].field.is_each;
      if (!varying[next].state.is_ordered && !is_in_runs) return none;
      const bool against = varying[next].field.is_descending != key.is_descending;
      if (reverse && *reverse != against) return none;
      reverse = against;
      is_whole = is_whole && varying[next].state.is_ordered;
      ++next;
    }
    if (sort.ties != Ties::any && next <= own) {
      const bool backwards = sort.ties == Ties::descending;
      if (next < own || (reverse && *reverse != backwards)) return none;
      reverse = backwards;
    }
    // Behind the keys, entries may have another order than that of ties.
    if (!is_whole && sort.ties == Ties::any && next < own) return none;
    return {is_whole ? Match::Order::whole : Match::Order::runs, reverse.value_or(false)};
  }

 private:
  // Whether all documents have the same value for this key.
  bool is_constant(const SortKey& key) const {
    for (std::size_t i = 0; i < narrowed_.fixed; ++i) {
      if (!is_value_of(key, index_.fields[i])) continue;
      const FieldState& state = narrowed_.states[i];
      if (state.has_one_value || (state.is_nothing && key.null_is_greatest)) return true;
    }
    return false;
  }

  // A field whose part of the position varies between entries.
  struct VaryingField {
    IndexField field;
    FieldState state;

    bool has_order_of(const SortKey& key) const {
      const bool agrees = field.null_is_greatest == key.null_is_greatest || !state.is_nullable;
      return is_value_of(key, field) && agrees;
    }
  };

  // Whether the key is a field of the row, or an expression that the index holds.
  bool is_of_row(const SortKey& key) const {
    const auto* field = key.value->as<expr::FieldOf>();
    if (field != nullptr) return field->slot == 0;
    return std::any_of(index_.fields.begin(), index_.fields.end(), [&](const IndexField& indexed) {
      return indexed.computed && is_value_of(key, indexed);
    });
  }

  const Index& index_;
  const NarrowedIndex& narrowed_;
  const bool has_one_routing_;
};

// The non-empty ranges, as they are to be read.
IndexScan scan_of(const Index& index, NarrowedIndex& narrowed, bool reverse) {
  IndexScan path{.index = index, .ranges = {}, .reverse = reverse};
  for (ByteRange& range : narrowed.ranges) {
    if (range.to.empty() || range.from < range.to) path.ranges.push_back(std::move(range));
  }
  for (std::size_t i = 0; i < index.fields.size(); ++i) {
    if (index.fields[i].is_each && !narrowed.states[i].is_fixed) path.may_repeat = true;
  }
  return path;
}

}  // namespace

bool is_value_of(const SortKey& key, const IndexField& indexed) {
  if (indexed.computed) return are_same(*key.value, *indexed.computed.expression);
  const auto* field = key.value->as<expr::FieldOf>();
  return field != nullptr && field->slot == 0 && field->field == indexed.field;
}

std::optional<Match> match_index(const Access& access, const Index& index,
                                 const PlannedSort* sort) {
  NarrowedIndex narrowed = narrowed_index(access, index);
  const IndexOrder order = sort ? OrderMatcher(access, index, narrowed).run(*sort) : IndexOrder();
  const bool gives_order = order.order != Match::Order::none;
  if (narrowed.served.empty() && !gives_order) return std::nullopt;
  if (gives_order) skip_missing(narrowed, index);
  Match match{.path = scan_of(index, narrowed, order.reverse),
              .served = std::move(narrowed.served),
              .residual = {},
              .equalities = narrowed.equalities,
              .has_alternatives = narrowed.has_alternatives(),
              .has_range = narrowed.has_range,
              .order = order.order};
  for (const Conjunct& part : narrowed.parts) {
    if (!part.is_decided) match.residual.push_back(part.source);
  }
  return match;
}

}  // namespace mayfly::query
