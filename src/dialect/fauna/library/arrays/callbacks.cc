// Arrays: functions with callbacks, which may write.
#include <algorithm>

#include "dialect/fauna/library/family.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> array_map(Run& run, const FqlValue& self, const Arguments& a) {
  FqlArray mapped;
  mapped.reserve(self.array().size());
  for (const FqlValue& item : self.array()) {
    mapped.push_back(TRY(run.call_back(*a[0].function(), "mapper", {&item, 1})));
  }
  return make_array(run, std::move(mapped));
}

Result<FqlValue> array_flat_map(Run& run, const FqlValue& self, const Arguments& a) {
  FqlArray mapped;
  for (const FqlValue& item : self.array()) {
    const FqlValue part = TRY(run.call_back(*a[0].function(), "mapper", {&item, 1}));
    if (!part.is(FqlKind::array)) return run.fail_type("Array<Any>", part);
    TRY(run.check_elements(mapped.size() + part.array().size()));
    mapped.insert(mapped.end(), part.array().begin(), part.array().end());
  }
  return make_array(run, std::move(mapped));
}

Result<FqlValue> array_for_each(Run& run, const FqlValue& self, const Arguments& a) {
  for (const FqlValue& item : self.array()) {
    TRY(run.call_back(*a[0].function(), "fn", {&item, 1}));
  }
  return FqlValue();
}

// --- reductions ---

template <class Iterator>
Result<FqlValue> folded(Run& run, const Callable& reducer, FqlValue value, Iterator from,
                        Iterator end) {
  for (; from != end; ++from) {
    const FqlValue pair[] = {std::move(value), *from};
    value = TRY(run.call_back(reducer, "reducer", pair));
  }
  return value;
}

template <class Iterator>
Result<FqlValue> reduced(Run& run, const Callable& reducer, Iterator from, Iterator end) {
  if (from == end) return null_because(NullCause::empty_array);
  const FqlValue& first = *from;
  return folded(run, reducer, first, ++from, end);
}

Result<FqlValue> array_fold(Run& run, const FqlValue& self, const Arguments& a) {
  return folded(run, *a[1].function(), a[0], self.array().begin(), self.array().end());
}

Result<FqlValue> array_fold_right(Run& run, const FqlValue& self, const Arguments& a) {
  return folded(run, *a[1].function(), a[0], self.array().rbegin(), self.array().rend());
}

Result<FqlValue> array_reduce(Run& run, const FqlValue& self, const Arguments& a) {
  return reduced(run, *a[0].function(), self.array().begin(), self.array().end());
}

Result<FqlValue> array_reduce_right(Run& run, const FqlValue& self, const Arguments& a) {
  return reduced(run, *a[0].function(), self.array().rbegin(), self.array().rend());
}

// Combines neighbours in pairs from the left; an odd last element is kept.
Result<FqlArray> combined_pairs(Run& run, const Callable& combiner, const FqlArray& level) {
  FqlArray next;
  next.reserve((level.size() + 1) / 2);
  std::size_t i = 0;
  for (; i + 1 < level.size(); i += 2) {
    next.push_back(TRY(run.call_back(combiner, "combiner", {&level[i], 2})));
  }
  if (i < level.size()) next.push_back(level[i]);
  return next;
}

Result<FqlValue> array_aggregate(Run& run, const FqlValue& self, const Arguments& a) {
  const Callable& combiner = *a[1].function();
  if (self.array().empty()) return a[0];
  TRY(run.make(self.array().size() * sizeof(FqlValue)));
  FqlArray level = self.array();
  while (level.size() > 1) level = TRY(combined_pairs(run, combiner, level));
  const FqlValue pair[] = {level.front(), a[0]};
  return run.call_back(combiner, "combiner", pair);
}

}  // namespace

std::span<const Method> array_callback_methods() {
  static const Method table[] = {
      {"Array", "map", "(mapper: (A) => B) => Array<B>",
       "What the function gives for each element.", "[1, 2].map(x => x * 2).last()", "4",
       array_map},
      {"Array", "flatMap", "(mapper: (A) => Array<B>) => Array<B>",
       "The elements of the arrays that the function gives for each element.",
       "[1, 2].flatMap(x => [x, x]).length", "4", array_flat_map},
      {"Array", "forEach", "(fn: (A) => Any) => Null", "Calls the function with each element.",
       "[1, 2].forEach(x => x)", "null", array_for_each},
      {"Array", "fold", "(seed: Any, reducer: (Any, A) => Any) => Any",
       "Replaces the seed by what the function gives for it and the next element, from the left.",
       R"(["a", "b"].fold("", (all, x) => all + x))", R"("ab")", array_fold},
      {"Array", "foldRight", "(seed: Any, reducer: (Any, A) => Any) => Any",
       "The same from the right.", R"(["a", "b"].foldRight("", (all, x) => all + x))", R"("ba")",
       array_fold_right},
      {"Array", "reduce", "(reducer: (Any, A) => Any) => Any | Null",
       "As `fold()`, where the first element is the seed; null, where there is none.",
       R"(["a", "b"].reduce((all, x) => all + x))", R"("ab")", array_reduce},
      {"Array", "reduceRight", "(reducer: (Any, A) => Any) => Any | Null",
       "The same from the right.", R"(["a", "b"].reduceRight((all, x) => all + x))", R"("ba")",
       array_reduce_right},
      {"Array", "aggregate", "(seed: Any, combiner: (Any, Any) => Any) => Any",
       "Combines the elements in pairs until one is left, and that one with the seed.",
       "[1, 2, 3].aggregate(0, (a, b) => a + b)", "6", array_aggregate},
  };
  return table;
}

}  // namespace mayfly::fauna
