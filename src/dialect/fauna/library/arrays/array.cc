// Arrays: access to their parts, and combining them.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/library/arrays/ordering.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/limits.h"

namespace mayfly::fauna {
namespace {

// The elements in [begin, end).
Result<FqlValue> part_of(Run& run, const FqlArray& items, std::size_t from, std::size_t until) {
  TRY(run.step());
  if (until <= from) return FqlValue(FqlArray());
  const auto begin = items.begin();
  return make_array(run, FqlArray(begin + static_cast<std::ptrdiff_t>(from),
                                  begin + static_cast<std::ptrdiff_t>(until)));
}

Result<std::size_t> amount_of(Run& run, std::string_view name, const FqlValue& argument,
                              std::size_t length) {
  const std::int64_t n = argument.whole().number;
  if (n >= 0) return position_cut(n, length);
  return run.fail(
      "invalid_bounds",
      fmt::format("expected `{}` to be greater than or equal to 0, received {}", name, n));
}

Result<FqlValue> joined(Run& run, const FqlArray& first, const FqlArray& second) {
  TRY(run.check_elements(first.size() + second.size()));
  FqlArray items;
  items.reserve(first.size() + second.size());
  items.insert(items.end(), first.begin(), first.end());
  items.insert(items.end(), second.begin(), second.end());
  return make_array(run, std::move(items));
}

Result<FqlValue> array_length(Run&, const FqlValue& self, const Arguments&) {
  return whole_number(static_cast<std::int64_t>(self.array().size()));
}

Result<FqlValue> array_at(Run& run, const FqlValue& self, const Arguments& a) {
  return self.array()[TRY(index_within(run, a[0].whole().number, self.array().size()))];
}

Result<FqlValue> array_append(Run& run, const FqlValue& self, const Arguments& a) {
  return joined(run, self.array(), {a[0]});
}

Result<FqlValue> array_prepend(Run& run, const FqlValue& self, const Arguments& a) {
  return joined(run, {a[0]}, self.array());
}

Result<FqlValue> array_concat(Run& run, const FqlValue& self, const Arguments& a) {
  return joined(run, self.array(), a[0].array());
}

Result<FqlValue> array_slice(Run& run, const FqlValue& self, const Arguments& a) {
  const std::size_t length = self.array().size();
  return part_of(run, self.array(), position_cut(a[0].whole().number, length),
                 a.has(1) ? position_cut(a[1].whole().number, length) : length);
}

Result<FqlValue> array_take(Run& run, const FqlValue& self, const Arguments& a) {
  const FqlArray& items = self.array();
  return part_of(run, items, 0, TRY(amount_of(run, "limit", a[0], items.size())));
}

Result<FqlValue> array_drop(Run& run, const FqlValue& self, const Arguments& a) {
  const FqlArray& items = self.array();
  return part_of(run, items, TRY(amount_of(run, "amount", a[0], items.size())), items.size());
}

Result<FqlValue> array_first(Run&, const FqlValue& self, const Arguments&) {
  if (self.array().empty()) return null_because(NullCause::empty_array);
  return self.array().front();
}

Result<FqlValue> array_last(Run&, const FqlValue& self, const Arguments&) {
  if (self.array().empty()) return null_because(NullCause::empty_array);
  return self.array().back();
}

Result<FqlValue> array_is_empty(Run&, const FqlValue& self, const Arguments&) {
  return FqlValue(self.array().empty());
}

Result<FqlValue> array_non_empty(Run&, const FqlValue& self, const Arguments&) {
  return FqlValue(!self.array().empty());
}

Result<FqlValue> array_flatten(Run& run, const FqlValue& self, const Arguments&) {
  FqlArray items;
  for (const FqlValue& inner : self.array()) {
    TRY(run.step());
    if (!inner.is(FqlKind::array)) return run.fail_type("Array<Any>", inner);
    TRY(run.check_elements(items.size() + inner.array().size()));
    items.insert(items.end(), inner.array().begin(), inner.array().end());
  }
  return make_array(run, std::move(items));
}

Result<FqlValue> array_reverse(Run& run, const FqlValue& self, const Arguments&) {
  return make_array(run, FqlArray(self.array().rbegin(), self.array().rend()));
}

Result<FqlValue> array_distinct(Run& run, const FqlValue& self, const Arguments&) {
  return make_array(run, TRY(without_duplicates(run, self.array())));
}

Result<FqlValue> array_order(Run& run, const FqlValue& self, const Arguments& a) {
  const std::vector<Ordering> by = TRY(read_orderings(run, a.all()));
  return make_array(run, TRY(in_order(run, self.array(), by)));
}

Result<FqlValue> array_entries(Run& run, const FqlValue& self, const Arguments&) {
  FqlArray entries;
  for (const FqlValue& item : self.array()) {
    TRY(run.step());
    const FqlValue index = whole_number(static_cast<std::int64_t>(entries.size()));
    entries.push_back(TRY(make_array(run, {index, item})));
  }
  return make_array(run, std::move(entries));
}

Result<FqlValue> array_sequence(Run& run, const FqlValue&, const Arguments& a) {
  const std::int64_t from = a[0].whole().number;
  const std::int64_t until = a[1].whole().number;
  if (until <= from) return FqlValue(FqlArray());
  const auto count = static_cast<std::size_t>(until) - static_cast<std::size_t>(from);
  TRY(run.check_elements(count));
  FqlArray items;
  for (std::int64_t n = from; n < until; ++n) items.push_back(whole_number(n));
  TRY(run.step(static_cast<std::uint32_t>(count)));
  return make_array(run, std::move(items));
}

}  // namespace

std::span<const Method> array_methods() {
  static const Method table[] = {
      {"Array", "sequence", "(from: Long, until: Long) => Array<Long>",
       "The whole numbers from one until before another.", "Array.sequence(1, 4).last()", "3",
       array_sequence, Effect::pure, true},
      {"Array", "length", "Int", "Its number of elements.", "[1, 2].length", "2", array_length},
      {"Array", "at", "(index: Int) => A", "The element at that position, from 0.", "[1, 2].at(1)",
       "2", array_at},
      {"Array", "append", "(element: Any) => Array", "The array and another element behind.",
       "[1, 2].append(3).last()", "3", array_append},
      {"Array", "prepend", "(element: Any) => Array", "Another element and the array behind.",
       "[1, 2].prepend(3).first()", "3", array_prepend},
      {"Array", "concat", "(other: Array) => Array", "Both arrays as one.",
       "[1, 2].concat([3]).length", "3", array_concat},
      {"Array", "slice", "(from: Int, until?: Int) => Array<A>",
       "The elements from one position until before another.", "[1, 2, 3].slice(1, 2).first()", "2",
       array_slice},
      {"Array", "take", "(limit: Int) => Array<A>", "The first so many elements.",
       "[1, 2, 3].take(2).last()", "2", array_take},
      {"Array", "drop", "(amount: Int) => Array<A>", "All elements but the first so many.",
       "[1, 2, 3].drop(2).first()", "3", array_drop},
      {"Array", "first", "() => A | Null", "The first element; null, where there is none.",
       "[1, 2].first()", "1", array_first},
      {"Array", "last", "() => A | Null", "The last element; null, where there is none.",
       "[1, 2].last()", "2", array_last},
      {"Array", "isEmpty", "() => Boolean", "Whether it has no elements.", "[].isEmpty()", "true",
       array_is_empty},
      {"Array", "nonEmpty", "() => Boolean", "Whether it has elements.", "[].nonEmpty()", "false",
       array_non_empty},
      {"Array", "flatten", "() => Array", "The elements of its elements, which are arrays.",
       "[[1], [2, 3]].flatten().length", "3", array_flatten},
      {"Array", "reverse", "() => Array<A>", "Its elements from the last to the first.",
       "[1, 2].reverse().first()", "2", array_reverse},
      {"Array", "distinct", "() => Array<A>", "Its elements without repetitions.",
       "[1, 2, 1].distinct().length", "2", array_distinct},
      {"Array", "order", "(...orderings: Function | Object) => Array<A>",
       "Its elements sorted by accessors, asc() and desc(); without any by their order.",
       "[3, 1, 2].order(desc(x => x)).first()", "3", array_order},
      {"Array", "entries", "() => Array<Array<Any>>",
       "An array for each element, of its position and itself.", R"(["a"].entries().first()![0])",
       "0", array_entries},
  };
  return table;
}

}  // namespace mayfly::fauna
