// Values at a path of names; an array on the path stands for all of its items.
#include "expr/functions/families.h"

namespace mayfly {
namespace {

// Collects the values at the names from `i` on. Recursion is as deep as the document.
void gather(const Value& value, const Arguments& names, std::size_t i, Array& found) {
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) gather(item, names, i, found);
  } else if (i == names.size()) {
    if (!value.is_missing() && !value.is_null()) found.push_back(value);
  } else if (value.is(Kind::object) && names[i].is(Kind::text)) {
    const Value* member = value.object().find(names[i].text());
    if (member != nullptr) gather(*member, names, i + 1, found);
  }
}

Result<Value> values_at(const Arguments& a) {
  Array found;
  gather(a[0], a, 1, found);
  return Value(std::move(found));
}

void gather_all(const Value& value, Array& found) {
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) gather_all(item, found);
  } else if (value.is(Kind::object)) {
    for (const auto& [name, member] : value.object()) gather_all(member, found);
  } else if (!value.is_missing() && !value.is_null()) {
    found.push_back(value);
  }
}

Result<Value> values_within(const Arguments& a) {
  Array found;
  gather_all(a[0], found);
  return Value(std::move(found));
}

bool holds_any(const Value& value) {
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) {
      if (holds_any(item)) return true;
    }
    return false;
  }
  if (value.is(Kind::object)) {
    for (const auto& [name, member] : value.object()) {
      if (holds_any(member)) return true;
    }
    return false;
  }
  return !value.is_missing() && !value.is_null();
}

Result<Value> holds_value(const Arguments& a) {
  return Value(holds_any(a[0]));
}

}  // namespace

std::span<const Function> within_functions() {
  static const Function table[] = {
      {.name = "values_at",
       .summary = "All values but null that lie at the path of these names, where arrays on the "
                  "way stand for each of their items.",
       .arguments_min = 1,
       .arguments_max = any_number,
       .apply = values_at,
       .examples = {{R"({"a":[{"b":1},{"b":[2,[3]]},{"c":4}]}, "a", "b")", "[1,2,3]"},
                    {R"({"a":null}, "a")", "[]"},
                    {R"([1,null,{"a":2}])", R"([1,{"a":2}])"},
                    {R"(missing, "a")", "[]"}},
       .is_never_missing = true},
      {.name = "values_within",
       .summary = "All values within, however deep, that are neither null, array nor object.",
       .arguments_min = 1,
       .arguments_max = 1,
       .apply = values_within,
       .examples = {{R"({"a":[1,{"b":"x"},null]})", R"([1,"x"])"}, {"missing", "[]"}},
       .is_never_missing = true},
      {.name = "holds_value",
       .summary = "Whether it is a value, or holds one however deep, other than null.",
       .arguments_min = 1,
       .arguments_max = 1,
       .apply = holds_value,
       .examples = {{R"({"a":[{"b":false}]})", "true"},
                    {R"([{"a":[]},null])", "false"},
                    {"missing", "false"}},
       .gives_truth = true,
       .is_never_missing = true},
  };
  return table;
}

}  // namespace mayfly
