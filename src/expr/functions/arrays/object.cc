// Functions of objects.
#include "expr/functions/families.h"
#include "value/order/order.h"
#include "value/patch.h"

namespace mayfly {
namespace {

// The arguments are alternating names and values.
Result<Value> object_of(const Arguments& a) {
  Object made;
  for (std::size_t i = 0; i < a.size(); i += 2) {
    if (a[i].is(Kind::text) && !a[i + 1].is_missing()) made.set(a[i].text(), a[i + 1]);
  }
  return Value(std::move(made));
}

Result<Value> member(const Arguments& a) {
  if (a[0].is(Kind::object) && a[1].is(Kind::text)) return a[0].member(a[1].text());
  const auto i = whole_number(a[1]);
  if (!a[0].is(Kind::array) || !i || *i < 0) return Value();
  const auto at = static_cast<std::size_t>(*i);
  return at < a[0].array().size() ? a[0].array()[at] : Value();
}

Result<Value> keys(const Arguments& a) {
  if (!a[0].is(Kind::object)) return Value();
  Array names;
  for (const auto& [name, value] : a[0].object()) names.emplace_back(name);
  return Value(std::move(names));
}

Result<Value> values(const Arguments& a) {
  if (!a[0].is(Kind::object)) return Value();
  Array found;
  for (const auto& [name, value] : a[0].object()) found.push_back(value);
  return Value(std::move(found));
}

Result<Value> entries(const Arguments& a) {
  if (!a[0].is(Kind::object)) return Value();
  Array found;
  for (const auto& [name, value] : a[0].object()) found.emplace_back(Array{Value(name), value});
  return Value(std::move(found));
}

// Each member as an object of two members, whose names may be passed as arguments.
Result<Value> entry_objects(const Arguments& a) {
  if (!a[0].is(Kind::object)) return Value();
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (!a[i].is(Kind::text)) return Value();
  }
  const std::string name_of_name = a.size() > 1 ? a[1].text() : "k";
  const std::string name_of_value = a.size() > 2 ? a[2].text() : "v";
  Array found;
  for (const auto& [name, value] : a[0].object()) {
    found.emplace_back(Object{{name_of_name, Value(name)}, {name_of_value, value}});
  }
  return Value(std::move(found));
}

Result<Value> assign_members(const Arguments& a) {
  if (!a[0].is(Kind::object) || !a[1].is(Kind::object)) return Value();
  return assign(a[0], a[1]);
}

Result<Value> has_member(const Arguments& a) {
  if (!a[0].is(Kind::object) || !a[1].is(Kind::text)) return Value();
  return Value(a[0].object().find(a[1].text()) != nullptr);
}

Function object_function(std::string_view name, std::size_t arity, std::string_view summary,
                         Result<Value> (*apply)(const Arguments&), std::vector<Example> examples) {
  return {name, summary, arity, arity, apply, std::move(examples)};
}

}  // namespace

std::span<const Function> object_functions() {
  static const Function table[] = {
      {.name = "object",
       .summary =
           "An object of names and values in turn; a member whose value is missing is left out.",
       .arguments_min = 0,
       .arguments_max = any_number,
       .apply = object_of,
       .examples = {{R"("a", 1, "b", missing)", R"({"a":1})"}, {"", "{}"}},
       .is_never_missing = true},
      object_function("member", 2, "The member of that name, or the item at that position.", member,
                      {{R"({"a":1}, "a")", "1"},
                       {R"([1,2], 1)", "2"},
                       {R"([1,2], 1.0)", "2"},
                       {R"({"a":1}, "b")", "missing"},
                       {R"("a", 0)", "missing"}}),
      object_function("has_member", 2, "Whether the object has a member of that name.", has_member,
                      {{R"({"a":null}, "a")", "true"}, {R"({}, "a")", "false"}}),
      object_function("keys", 1, "The names of the members, as they stand.", keys,
                      {{R"({"b":1,"a":2})", R"(["b","a"])"}, {"[]", "missing"}}),
      object_function("values", 1, "The values of the members, as they stand.", values,
                      {{R"({"b":1,"a":2})", "[1,2]"}}),
      object_function("entries", 1, "Name and value of each member, as they stand.", entries,
                      {{R"({"b":1,"a":2})", R"([["b",1],["a",2]])"}}),
      n_ary("entry_objects", 1, 3,
            "Name and value of each member as an object; its members are k and v, or as said.",
            entry_objects,
            {{R"({"a":"1","b":2})", R"([{"k":"a","v":"1"},{"k":"b","v":2}])"},
             {R"({"a":1}, "name")", R"([{"name":"a","v":1}])"},
             {R"({"a":1}, "name", "value")", R"([{"name":"a","value":1}])"},
             {R"({"a":1}, 1)", "missing"},
             {"[1]", "missing"}}),
      object_function("assign", 2, "The first object with the members of the second put over it.",
                      assign_members, {{R"({"a":1,"b":2}, {"b":3})", R"({"a":1,"b":3})"}}),
  };
  return table;
}

}  // namespace mayfly
