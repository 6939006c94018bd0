// Reduces an array to one value, by the aggregate of the same name.
#include <algorithm>
#include <vector>

#include "base/check.h"
#include "expr/aggregate.h"
#include "expr/functions/families.h"

namespace mayfly {
namespace {

Result<Value> aggregate(const Value& items, std::string_view name) {
  if (!items.is(Kind::array)) return Value();
  const Aggregate* found = find_aggregate(name);
  CHECK(found != nullptr);
  const std::unique_ptr<Accumulator> accumulator = found->start();
  for (const Value& item : items.array()) accumulator->add(item);
  return accumulator->result();
}

Result<Value> sum(const Arguments& a) {
  return aggregate(a[0], "sum");
}
Result<Value> average(const Arguments& a) {
  return aggregate(a[0], "average");
}
Result<Value> minimum(const Arguments& a) {
  return aggregate(a[0], "minimum_of_scalars");
}
Result<Value> maximum(const Arguments& a) {
  return aggregate(a[0], "maximum_of_scalars");
}

Result<Value> median(const Arguments& a) {
  if (!a[0].is(Kind::array) || a[0].array().empty()) return Value();
  std::vector<double> numbers;
  for (const Value& item : a[0].array()) {
    if (!item.is_number() || std::isnan(item.number())) return Value();
    numbers.push_back(item.number());
  }
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  return (*std::max_element(numbers.begin(), middle) + *middle) / 2;
}

}  // namespace

std::span<const Function> array_summary_functions() {
  static const Function table[] = {
      unary("array_sum", "The sum of an array of numbers.", sum,
            {{"[1,2,3,4]", "10"}, {"[]", "0"}, {R"([1,"2"])", "missing"}, {"7", "missing"}}),
      unary("array_average", "The mean of an array of numbers.", average,
            {{"[1,2,3,4]", "2.5"}, {"[]", "missing"}, {"[1,null]", "missing"}}),
      unary("array_minimum", "The first of an array's scalars in the order of all values.", minimum,
            {{"[3,1,2]", "1"},
             {R"(["a",1,true,null])", "null"},
             {"[1,[2]]", "missing"},
             {"[]", "missing"}}),
      unary("array_maximum", "The last of an array's scalars in the order of all values.", maximum,
            {{"[3,1,2]", "3"}, {R"(["a",1,true])", R"("a")"}, {"[{}]", "missing"}}),
      unary("array_median", "The middle of an array of numbers, or the mean of the two there.",
            median,
            {{"[1,2,3,4]", "2.5"},
             {"[1.0,2.0,3.3,4.7,7.8]", "3.3"},
             {"[1,-2.7,3,-4]", "-0.8500000000000001"},
             {R"([12,"abc"])", "missing"},
             {"[]", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
