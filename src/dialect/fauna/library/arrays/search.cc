// Arrays: finding elements. `includes` and `indexOf` compare structurally, so a missing document is
// not equal to null.
#include <algorithm>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/values/order.h"

namespace mayfly::fauna {
namespace {

FqlValue no_element() {
  return null_because(NullCause::no_element);
}

FqlValue position_or_null(std::optional<std::size_t> position) {
  return position ? whole_number(static_cast<std::int64_t>(*position)) : no_element();
}

// The condition of a search.
class ElementCondition {
 public:
  // Matches elements equal to a value.
  static ElementCondition equal_to(Run& run, const FqlValue& value) {
    ElementCondition condition(run);
    condition.value_ = &value;
    return condition;
  }
  // Matches elements for which a predicate holds.
  static ElementCondition satisfying(Run& run, const FqlValue& predicate) {
    ElementCondition condition(run);
    condition.predicate_ = predicate.function().get();
    return condition;
  }

  Result<bool> is(const FqlValue& element) const {
    if (predicate_ != nullptr) return run_->call_predicate(*predicate_, "predicate", {&element, 1});
    TRY(run_->step());
    return equal(run_->meter(), *value_, element);
  }

 private:
  explicit ElementCondition(Run& run) : run_(&run) {}
  Run* run_;
  const FqlValue* value_ = nullptr;
  const Callable* predicate_ = nullptr;
};

using FoundAt = std::optional<std::size_t>;

Result<FoundAt> first_position(const FqlArray& items, const ElementCondition& condition,
                               std::size_t from = 0) {
  for (std::size_t i = from; i < items.size(); ++i) {
    if (TRY(condition.is(items[i]))) return FoundAt(i);
  }
  return FoundAt();
}

// Searches backwards from before `end`.
Result<FoundAt> last_position(const FqlArray& items, const ElementCondition& condition,
                              std::size_t end) {
  for (std::size_t i = end; i-- > 0;) {
    if (TRY(condition.is(items[i]))) return FoundAt(i);
  }
  return FoundAt();
}

Result<std::size_t> start_of(Run& run, const FqlValue& self, const Arguments& a) {
  if (!a.has(1)) return std::size_t{0};
  return position_within(run, a[1].whole().number, self.array().size());
}

// The end of a backward search: after the position in the second argument.
std::size_t end_of(const FqlValue& self, const Arguments& a) {
  const std::size_t length = self.array().size();
  return a.has(1) ? position_cut(a[1].whole().number + 1, length) : length;
}

Result<FqlValue> array_includes(Run& run, const FqlValue& self, const Arguments& a) {
  const ElementCondition condition = ElementCondition::equal_to(run, a[0]);
  return FqlValue(TRY(first_position(self.array(), condition)).has_value());
}

Result<FqlValue> array_index_of(Run& run, const FqlValue& self, const Arguments& a) {
  const std::size_t start = TRY(start_of(run, self, a));
  const ElementCondition condition = ElementCondition::equal_to(run, a[0]);
  return position_or_null(TRY(first_position(self.array(), condition, start)));
}

Result<FqlValue> array_last_index_of(Run& run, const FqlValue& self, const Arguments& a) {
  const ElementCondition condition = ElementCondition::equal_to(run, a[0]);
  return position_or_null(TRY(last_position(self.array(), condition, end_of(self, a))));
}

Result<FqlValue> array_index_where(Run& run, const FqlValue& self, const Arguments& a) {
  const std::size_t start = TRY(start_of(run, self, a));
  return position_or_null(
      TRY(first_position(self.array(), ElementCondition::satisfying(run, a[0]), start)));
}

Result<FqlValue> array_last_index_where(Run& run, const FqlValue& self, const Arguments& a) {
  const ElementCondition condition = ElementCondition::satisfying(run, a[0]);
  return position_or_null(TRY(last_position(self.array(), condition, end_of(self, a))));
}

Result<FqlValue> array_first_where(Run& run, const FqlValue& self, const Arguments& a) {
  const FoundAt position =
      TRY(first_position(self.array(), ElementCondition::satisfying(run, a[0])));
  return position ? self.array()[*position] : no_element();
}

Result<FqlValue> array_last_where(Run& run, const FqlValue& self, const Arguments& a) {
  const FqlArray& items = self.array();
  const FoundAt position =
      TRY(last_position(items, ElementCondition::satisfying(run, a[0]), items.size()));
  return position ? items[*position] : no_element();
}

Result<FqlValue> array_any(Run& run, const FqlValue& self, const Arguments& a) {
  return FqlValue(
      TRY(first_position(self.array(), ElementCondition::satisfying(run, a[0]))).has_value());
}

Result<FqlValue> array_every(Run& run, const FqlValue& self, const Arguments& a) {
  const ElementCondition condition = ElementCondition::satisfying(run, a[0]);
  for (const FqlValue& item : self.array()) {
    if (!TRY(condition.is(item))) return FqlValue(false);
  }
  return FqlValue(true);
}

Result<FqlValue> array_filter(Run& run, const FqlValue& self, const Arguments& a) {
  const ElementCondition condition = ElementCondition::satisfying(run, a[0]);
  FqlArray kept;
  for (const FqlValue& item : self.array()) {
    if (TRY(condition.is(item))) kept.push_back(item);
  }
  return make_array(run, std::move(kept));
}

}  // namespace

std::span<const Method> array_search_methods() {
  static const Method table[] = {
      {"Array", "includes", "(element: Any) => Boolean", "Whether an element equals the value.",
       "[1, 2].includes(2)", "true", array_includes},
      {"Array", "indexOf", "(element: Any, start?: Int) => Int | Null",
       "Where the value first stands, at `start` or behind it.", "[1, 2, 1].indexOf(1, 1)", "2",
       array_index_of},
      {"Array", "lastIndexOf", "(element: Any, end?: Int) => Int | Null",
       "Where the value last stands, at `end` or before it.", "[1, 2, 1].lastIndexOf(1)", "2",
       array_last_index_of},
      {"Array", "indexWhere", "(predicate: (A) => Boolean, start?: Int) => Int | Null",
       "Where the first element stands that the predicate takes, at `start` or behind it.",
       "[1, 2, 3].indexWhere(x => x > 1)", "1", array_index_where},
      {"Array", "lastIndexWhere", "(predicate: (A) => Boolean, end?: Int) => Int | Null",
       "Where the last element stands that the predicate takes, at `end` or before it.",
       "[1, 2, 3].lastIndexWhere(x => x > 1)", "2", array_last_index_where},
      {"Array", "firstWhere", "(predicate: (A) => Boolean) => A | Null",
       "The first element that the predicate takes.", "[1, 2, 3].firstWhere(x => x > 1)", "2",
       array_first_where},
      {"Array", "lastWhere", "(predicate: (A) => Boolean) => A | Null",
       "The last element that the predicate takes.", "[1, 2, 3].lastWhere(x => x > 1)", "3",
       array_last_where},
      {"Array", "any", "(predicate: (A) => Boolean) => Boolean",
       "Whether the predicate takes an element.", "[1, 2].any(x => x > 1)", "true", array_any},
      {"Array", "every", "(predicate: (A) => Boolean) => Boolean",
       "Whether the predicate takes all elements.", "[1, 2].every(x => x > 1)", "false",
       array_every},
      {"Array", "filter", "(predicate: (A) => Boolean) => Array<A>",
       "The elements that the predicate takes.", "[1, 2, 3].filter(x => x > 1).length", "2",
       array_filter},
      {"Array", "where", "(predicate: (A) => Boolean) => Array<A>", "As `filter()`.",
       "[1, 2, 3].where(x => x > 1).length", "2", array_filter},
  };
  return table;
}

}  // namespace mayfly::fauna
