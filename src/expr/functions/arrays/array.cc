// Functions of arrays.
#include <algorithm>
#include <optional>

#include "expr/functions/families.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

bool holds(const Array& items, const Value& needle) {
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return same(item, needle); });
}

using Fits = bool (*)(const Value& whole, const Value& part);

// Whether `whole` has every member of `part`, with a value that fits.
bool holds_members(const Value& whole, const Value& part, Fits fits) {
  if (!whole.is(Kind::object) || !part.is(Kind::object)) return same(whole, part);
  const auto own = members_by_name(whole.object());
  for (const auto& [name, member] : part.object()) {
    const auto found =
        std::lower_bound(own.begin(), own.end(), name,
                         [](const Object::Member* one, const auto& n) { return one->first < n; });
    if (found == own.end() || (*found)->first != name || !fits((*found)->second, member)) {
      return false;
    }
  }
  return true;
}

bool holds_part(const Value& whole, const Value& part) {
  return holds_members(whole, part, same);
}

// The same at every depth; arrays item by item.
bool holds_part_deeply(const Value& whole, const Value& part) {
  if (!whole.is(Kind::array) || !part.is(Kind::array)) {
    return holds_members(whole, part, holds_part_deeply);
  }
  const Array& items = whole.array();
  return items.size() == part.array().size() &&
         std::equal(items.begin(), items.end(), part.array().begin(), holds_part_deeply);
}

Result<Value> array_contains(const Arguments& a) {
  if (!a[0].is(Kind::array) || a[1].is_missing()) return Value();
  return Value(holds(a[0].array(), a[1]));
}

Result<Value> array_contains_part(const Arguments& a) {
  if (!a[0].is(Kind::array) || a[1].is_missing()) return Value();
  const Array& items = a[0].array();
  return Value(std::any_of(items.begin(), items.end(),
                           [&](const Value& item) { return holds_part(item, a[1]); }));
}

// A missing value is in no array.
Result<Value> array_holds(const Arguments& a) {
  if (a[0].is(Kind::array) && a[1].is_missing()) return Value(false);
  return array_contains(a);
}

Result<Value> array_holds_part(const Arguments& a) {
  if (a[0].is(Kind::array) && a[1].is_missing()) return Value(false);
  return array_contains_part(a);
}

Result<Value> array_holds_part_deeply(const Arguments& a) {
  if (!a[0].is(Kind::array)) return Value();
  const Array& items = a[0].array();
  return Value(!a[1].is_missing() &&
               std::any_of(items.begin(), items.end(),
                           [&](const Value& item) { return holds_part_deeply(item, a[1]); }));
}

// The items sorted, for many look-ups.
std::vector<const Value*> sorted(const Array& items) {
  std::vector<const Value*> pointers;
  pointers.reserve(items.size());
  for (const Value& item : items) pointers.push_back(&item);
  std::sort(pointers.begin(), pointers.end(),
            [](const Value* x, const Value* y) { return order(*x, *y) < 0; });
  return pointers;
}

bool is_among(const std::vector<const Value*>& items, const Value& needle) {
  const auto at =
      std::lower_bound(items.begin(), items.end(), &needle,
                       [](const Value* x, const Value* y) { return order(*x, *y) < 0; });
  return at != items.end() && same(**at, needle);
}

bool are_arrays(const Arguments& a) {
  return a[0].is(Kind::array) && a[1].is(Kind::array);
}

Result<Value> array_contains_any(const Arguments& a) {
  if (!are_arrays(a)) return Value();
  const auto items = sorted(a[0].array());
  const Array& needle = a[1].array();
  return Value(std::any_of(needle.begin(), needle.end(),
                           [&](const Value& one) { return is_among(items, one); }));
}

Result<Value> array_contains_all(const Arguments& a) {
  if (!are_arrays(a)) return Value();
  const auto items = sorted(a[0].array());
  const Array& needle = a[1].array();
  return Value(std::all_of(needle.begin(), needle.end(),
                           [&](const Value& one) { return is_among(items, one); }));
}

Result<Value> array_length(const Arguments& a) {
  if (!a[0].is(Kind::array)) return Value();
  return static_cast<std::int64_t>(a[0].array().size());
}

Result<Value> array_of(const Arguments& a) {
  Array made;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_missing()) made.push_back(a[i]);
  }
  return Value(std::move(made));
}

Result<Value> array_concat(const Arguments& a) {
  Array made;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is(Kind::array)) return Value();
    TRY(check_array_size(made.size() + a[i].array().size()));
    made.insert(made.end(), a[i].array().begin(), a[i].array().end());
  }
  return Value(std::move(made));
}

// The position of an index: negative ones count from the end; limited to the array.
std::size_t clamped(std::int64_t index, std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  if (index < 0) index = index < -n ? 0 : index + n;
  return static_cast<std::size_t>(std::min(index, n));
}

Result<Value> array_slice(const Arguments& a) {
  const auto start = whole_number_or_bound(a[1]);
  if (!a[0].is(Kind::array) || !start) return Value();
  const Array& items = a[0].array();
  const std::size_t from = clamped(*start, items.size());
  std::size_t count = items.size() - from;
  if (a.size() > 2) {
    const auto requested_count = whole_number_or_bound(a[2]);
    if (!requested_count) return Value();
    count = std::min(count, static_cast<std::size_t>(std::max<std::int64_t>(*requested_count, 0)));
  }
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(from);
  return Value(Array(first, first + static_cast<std::ptrdiff_t>(count)));
}

Result<Value> array_at(const Arguments& a) {
  const auto i = whole_number(a[1]);
  if (!a[0].is(Kind::array) || !i) return Value();
  const auto n = static_cast<std::int64_t>(a[0].array().size());
  const std::int64_t at = *i < 0 ? *i + n : *i;
  return at >= 0 && at < n ? a[0].array()[static_cast<std::size_t>(at)] : Value();
}

// The items for which `keep` is true, each value once, in the order of the first occurrences.
template <class Keep>
Array distinct_items(const Array& items, Keep keep) {
  std::vector<std::size_t> positions(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) positions[i] = i;
  std::sort(positions.begin(), positions.end(), [&](std::size_t x, std::size_t y) {
    const auto o = order(items[x], items[y]);
    return o != 0 ? o < 0 : x < y;
  });
  std::vector<bool> is_first(items.size(), true);
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if (same(items[positions[i - 1]], items[positions[i]])) is_first[positions[i]] = false;
  }
  Array made;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_first[i] && keep(items[i])) made.push_back(items[i]);
  }
  return made;
}

Result<Value> array_distinct(const Arguments& a) {
  if (!a[0].is(Kind::array)) return Value();
  return Value(distinct_items(a[0].array(), [](const Value&) { return true; }));
}

Result<Value> array_intersect(const Arguments& a) {
  if (!are_arrays(a)) return Value();
  const auto others = sorted(a[1].array());
  return Value(
      distinct_items(a[0].array(), [&](const Value& item) { return is_among(others, item); }));
}

Result<Value> array_sort(const Arguments& a) {
  if (!a[0].is(Kind::array)) return Value();
  Array items = a[0].array();
  std::stable_sort(items.begin(), items.end(),
                   [](const Value& x, const Value& y) { return order(x, y) < 0; });
  return Value(std::move(items));
}

Result<Value> array_reverse(const Arguments& a) {
  if (!a[0].is(Kind::array)) return Value();
  return Value(Array(a[0].array().rbegin(), a[0].array().rend()));
}

Function array_function(std::string_view name, std::size_t least, std::size_t most,
                        std::string_view summary, Apply apply, std::vector<Example> examples,
                        bool gives_truth = false) {
  Function row = n_ary(name, least, most, summary, apply, std::move(examples));
  row.gives_truth = gives_truth;
  return row;
}

}  // namespace

std::span<const Function> array_functions() {
  static const Function table[] = {
      array_function("array_contains", 2, 2, "Whether one of the items is this value.",
                     array_contains,
                     {{"[1,2], 2.0", "true"},
                      {R"([{"a":1}], {"a":1})", "true"},
                      {"[1], missing", "missing"},
                      {R"("a", "a")", "missing"}},
                     true),
      array_function(
          "array_contains_part", 2, 2,
          "Whether one of the items is this value, or an object that has all its members.",
          array_contains_part,
          {{R"([{"a":1,"b":2}], {"a":1})", "true"}, {R"([{"a":1}], {"b":1})", "false"}}, true),
      array_function("array_holds", 2, 2,
                     "Whether one of the items is this value; missing is in no array.", array_holds,
                     {{"[1,2], 2", "true"},
                      {"[1], missing", "false"},
                      {"missing, 1", "missing"},
                      {R"([{"a":1,"b":2}], {"a":1})", "false"}},
                     true),
      array_function("array_holds_part", 2, 2,
                     "The same, or whether one of the items is an object that has all its members.",
                     array_holds_part,
                     {{R"([{"a":1,"b":2}], {"a":1})", "true"}, {"[1], missing", "false"}}, true),
      array_function("array_holds_part_deeply", 2, 2,
                     "The same, also of the objects within it, and of arrays item by item.",
                     array_holds_part_deeply,
                     {{R"([{"a":[{"b":1,"c":2}]}], {"a":[{"b":1}]})", "true"}}, true),
      array_function("array_contains_any", 2, 2, "Whether the arrays have an item in common.",
                     array_contains_any,
                     {{"[1,2], [2,3]", "true"}, {"[1], []", "false"}, {"[1], 1", "missing"}}, true),
      array_function("array_contains_all", 2, 2,
                     "Whether every item of the second is one of the first.", array_contains_all,
                     {{"[1,2,3], [3,1]", "true"}, {"[1], [1,2]", "false"}, {"[], []", "true"}},
                     true),
      array_function("array_length", 1, 1, "How many items the array has.", array_length,
                     {{"[1,null]", "2"}, {R"("ab")", "missing"}}),
      {.name = "array",
       .summary = "An array of the arguments; what is missing is left out.",
       .arguments_min = 0,
       .arguments_max = any_number,
       .apply = array_of,
       .examples = {{"1, missing, null", "[1,null]"}, {"", "[]"}},
       .is_never_missing = true},
      array_function("array_concat", 1, any_number, "The items of all arrays, one after another.",
                     array_concat, {{"[1], [2,3]", "[1,2,3]"}, {"[1], 2", "missing"}}),
      array_function("array_slice", 2, 3,
                     "So many items from a position on; a negative position counts from the end.",
                     array_slice,
                     {{"[1,2,3,4], 1, 2", "[2,3]"},
                      {"[1,2,3], -2", "[2,3]"},
                      {"[1,2,3], -9, 1", "[1]"},
                      {"[1,2,3], 5", "[]"},
                      {"[1,2,3], 1.0, 1", "[2]"},
                      {"[1,2,3], 0.5", "missing"},
                      {"[1,2,3], 0, -1", "[]"}}),
      array_function("array_at", 2, 2, "One item; a negative position counts from the end.",
                     array_at, {{"[1,2,3], 0", "1"}, {"[1,2,3], -1", "3"}, {"[1], 1", "missing"}}),
      array_function("array_distinct", 1, 1, "Each value once, where it first stands.",
                     array_distinct, {{R"([2,"a",2.0,1,"a"])", R"([2,"a",1])"}}),
      array_function("array_intersect", 2, 2, "The values that are in both, each once.",
                     array_intersect, {{"[3,1,2,3], [2,3]", "[3,2]"}}),
      array_function("array_sort", 1, 1, "The items in the order of all values.", array_sort,
                     {{R"(["a",2,null,1])", R"([null,1,2,"a"])"}}),
      array_function("array_reverse", 1, 1, "The items from the last to the first.", array_reverse,
                     {{"[1,2,3]", "[3,2,1]"}}),
  };
  return table;
}

}  // namespace mayfly
