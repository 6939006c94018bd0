// Comparisons. expr/evaluation/comparison.cc decides those of two sides; the evaluator calls it
// directly.
#include "expr/evaluation/comparison.h"

#include <algorithm>
#include <memory>

#include "expr/functions/families.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

template <Comparison how>
Result<Value> compared(const Arguments& a) {
  return to_value(compare(how, a[0], a[1]));
}

// The items of a literal list in order, for binary search.
struct SortedList final : expr::Prepared {
  std::vector<Value> items;
};

bool is_before(const Value& a, const Value& b) {
  return order(a, b) < 0;
}

std::shared_ptr<const expr::Prepared> prepare_list(std::span<const Value* const> literals) {
  if (literals[1] == nullptr || !literals[1]->is(Kind::array)) return nullptr;
  auto list = std::make_shared<SortedList>();
  list->items = literals[1]->array();
  std::sort(list->items.begin(), list->items.end(), is_before);
  return list;
}

Result<Value> in(const Arguments& a) {
  if (a[0].is_missing() || !a[1].is(Kind::array)) return Value();
  if (const auto* list = static_cast<const SortedList*>(a.prepared())) {
    return Value(std::binary_search(list->items.begin(), list->items.end(), a[0], is_before));
  }
  const Array& items = a[1].array();
  return Value(
      std::any_of(items.begin(), items.end(), [&](const Value& item) { return same(a[0], item); }));
}

Result<Value> between(const Arguments& a) {
  const Truth low = compare(Comparison::greater_or_equal, a[0], a[1]);
  const Truth high = compare(Comparison::less_or_equal, a[0], a[2]);
  if (low == Truth::no || high == Truth::no) return Value(false);
  return to_value(low == Truth::yes ? high : low);
}

// -1, 0 or 1 by the total order of all values.
Result<Value> rank(const Arguments& a) {
  const auto order_of = order(a[0], a[1]);
  return Value(order_of < 0 ? -1 : order_of > 0 ? 1 : 0);
}

Function comparison(std::string_view name, std::string_view symbol, Comparison how,
                    std::string_view summary, Apply apply, std::vector<Example> examples) {
  Function row = binary_test(name, summary, apply, std::move(examples));
  row.symbol = symbol;
  row.comparison = how;
  return row;
}

}  // namespace

std::span<const Function> comparison_functions() {
  static const Function table[] = {
      comparison("equal", "=", Comparison::equal,
                 "Whether two values are the same; values of different kinds are not.",
                 compared<Comparison::equal>,
                 {{"1, 1.0", "true"},
                  {R"(1, "1")", "false"},
                  {"null, null", "true"},
                  {"missing, 1", "missing"},
                  {R"({"a":1,"b":[2]}, {"b":[2],"a":1})", "true"}}),
      comparison("not_equal", "!=", Comparison::not_equal,
                 "Whether two values differ; values of different kinds do.",
                 compared<Comparison::not_equal>,
                 {{"1, 2", "true"}, {"1, null", "true"}, {"missing, null", "missing"}}),
      comparison("less", "<", Comparison::less,
                 "Whether the first is less; missing between different kinds, arrays and objects.",
                 compared<Comparison::less>,
                 {{"1, 1.5", "true"},
                  {R"("b", "a")", "false"},
                  {"false, true", "true"},
                  {R"(1, "2")", "missing"},
                  {"[1], [2]", "missing"},
                  {"9007199254740993, 9007199254740992.0", "false"}}),
      comparison("less_or_equal", "<=", Comparison::less_or_equal,
                 "Whether the first is less or the same.", compared<Comparison::less_or_equal>,
                 {{"2, 2", "true"}, {"null, null", "true"}, {"null, 1", "missing"}}),
      comparison("greater", ">", Comparison::greater, "Whether the first is greater.",
                 compared<Comparison::greater>,
                 {{"2, 1", "true"},
                  {R"(time("2026-01-02T00:00:00Z"), time("2026-01-01T00:00:00Z"))", "true"},
                  {R"(time("2026-01-02T00:00:00Z"), date("2026-01-01"))", "missing"}}),
      comparison("greater_or_equal", ">=", Comparison::greater_or_equal,
                 "Whether the first is greater or the same.",
                 compared<Comparison::greater_or_equal>,
                 {{R"("b", "b")", "true"}, {"1, 2", "false"}}),
      {.name = "in",
       .summary = "Whether the value is one of the array's items.",
       .arguments_min = 2,
       .arguments_max = 2,
       .apply = in,
       .examples = {{"2, [1,2.0]", "true"},
                    {"null, [1]", "false"},
                    {"missing, [1]", "missing"},
                    {"1, 1", "missing"}},
       .symbol = "in",
       .gives_truth = true,
       .prepare = prepare_list},
      {.name = "between",
       .summary = "Whether the value lies between two bounds, or is one of them.",
       .arguments_min = 3,
       .arguments_max = 3,
       .apply = between,
       .examples = {{"2, 1, 2", "true"}, {"3, 1, 2", "false"}, {R"("x", 1, 2)", "missing"}},
       .gives_truth = true},
      {.name = "rank",
       .summary = "-1, 0 or 1 as the first comes before, with or after the second in the order of "
                  "all values.",
       .arguments_min = 2,
       .arguments_max = 2,
       .apply = rank,
       .examples = {{R"(1, "a")", "-1"}, {"[2], [1]", "1"}, {"missing, null", "-1"}},
       .is_never_missing = true},
  };
  return table;
}

}  // namespace mayfly
