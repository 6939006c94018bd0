// Objects. Functions that read objects also accept documents, with the fields that results show.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/library/display.h"
#include "dialect/fauna/library/family.h"

namespace mayfly::fauna {
namespace {

std::string no_such_document(const DocumentHandle& document) {
  if (document.is_named) return fmt::format("{} `{}` not found.", document.collection, document.id);
  return fmt::format("collection `{}` does not contain document with id {}.", document.collection,
                     document.id);
}

// The members of an object or a document; `name` is the name of the argument.
Result<FqlObject> members_of(Run& run, std::string_view name, const FqlValue& value) {
  if (value.is(FqlKind::object)) {
    TRY(run.step(static_cast<std::uint32_t>(value.object().size())));
    return value.object();
  }
  if (!TRY(run.exists(value))) return run.fail_argument(name, no_such_document(*value.document()));
  return run.fields(value);
}

Result<FqlValue> object_keys(Run& run, const FqlValue&, const Arguments& a) {
  const FqlObject object = TRY(members_of(run, "object", a[0]));
  FqlArray keys;
  for (const FqlObject::Member& member : object.members()) keys.emplace_back(member.first);
  return make_array(run, std::move(keys));
}

Result<FqlValue> object_values(Run& run, const FqlValue&, const Arguments& a) {
  const FqlObject object = TRY(members_of(run, "object", a[0]));
  FqlArray values;
  for (const FqlObject::Member& member : object.members()) values.push_back(member.second);
  return make_array(run, std::move(values));
}

Result<FqlValue> object_entries(Run& run, const FqlValue&, const Arguments& a) {
  const FqlObject object = TRY(members_of(run, "object", a[0]));
  FqlArray entries;
  for (const FqlObject::Member& member : object.members()) {
    entries.push_back(TRY(make_array(run, {FqlValue(member.first), member.second})));
  }
  return make_array(run, std::move(entries));
}

// Setting a member searches all members before it.
Result<void> set_member(Run& run, FqlObject& object, const std::string& name,
                        const FqlValue& value) {
  TRY(run.meter().tick(static_cast<std::uint32_t>(object.size())));
  TRY(run.make(name.size()));
  object.set(name, value);
  return {};
}

Result<FqlValue> object_from_entries(Run& run, const FqlValue&, const Arguments& a) {
  FqlObject object;
  const FqlArray& entries = a[0].array();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    TRY(run.step());
    if (!entries[i].is(FqlKind::array)) {
      return run.fail_argument_type("entries", "Array<Array<Any>>", a[0]);
    }
    const FqlArray& pair = entries[i].array();
    if (pair.size() != 2) {
      return run.fail_argument(
          "entries", fmt::format("expected inner array of length 2 but saw length {} at index {}",
                                 pair.size(), i));
    }
    if (!pair[0].is(FqlKind::text)) return run.fail_argument_type("entries", "String", pair[0]);
    TRY(set_member(run, object, pair[0].text(), pair[1]));
  }
  return make_object(run, std::move(object));
}

Result<FqlValue> object_assign(Run& run, const FqlValue&, const Arguments& a) {
  FqlObject object = TRY(members_of(run, "destination", a[0]));
  const FqlObject source = TRY(members_of(run, "source", a[1]));
  for (const auto& [name, value] : source.members()) TRY(set_member(run, object, name, value));
  return make_object(run, std::move(object));
}

// The value at a path through objects and documents; nullopt if there is no such member.
Result<std::optional<FqlValue>> at_path(Run& run, const FqlValue& value, const FqlArray& path) {
  FqlValue at = value;
  for (const FqlValue& name : path) {
    TRY(run.step());
    const bool is_document = at.is(FqlKind::document) && TRY(run.exists(at));
    if (is_document) at = FqlValue(TRY(run.fields(at)));
    const FqlValue* const found = at.is(FqlKind::object) ? at.object().find(name.text()) : nullptr;
    if (found == nullptr) return std::optional<FqlValue>();
    at = FqlValue(*found);
  }
  return std::optional(at);
}

Result<FqlValue> object_select(Run& run, const FqlValue&, const Arguments& a) {
  const auto found = TRY(at_path(run, a[0], a[1].array()));
  return found.value_or(null_because(NullCause::no_element));
}

Result<FqlValue> object_has_path(Run& run, const FqlValue&, const Arguments& a) {
  return FqlValue(TRY(at_path(run, a[0], a[1].array())).has_value());
}

Result<FqlValue> object_to_string(Run& run, const FqlValue&, const Arguments& a) {
  return FqlValue(TRY(display(run, a[0])));
}

constexpr std::string_view to_array = "(object: Object | Document) => Array";

}  // namespace

std::span<const Method> object_methods() {
  constexpr Effect pure = Effect::pure;
  static const Method table[] = {
      {"Object", "keys", to_array, "The names of its members.", "Object.keys({ a: 1 }).first()",
       R"("a")", object_keys, pure, true},
      {"Object", "values", to_array, "The values of its members.",
       "Object.values({ a: 1 }).first()", "1", object_values, pure, true},
      {"Object", "entries", to_array, "An array for each member, of its name and its value.",
       "Object.entries({ a: 1 }).first()![1]", "1", object_entries, pure, true},
      {"Object", "fromEntries", "(entries: Array) => Object",
       "The object whose members are these pairs of names and values; the last one of a name wins.",
       R"(Object.fromEntries([["a", 1]]).a)", "1", object_from_entries, pure, true},
      {"Object", "assign", "(destination: Object | Document, source: Object | Document) => Object",
       "The first object with the members of the second, which win.",
       "Object.assign({ a: 1, b: 1 }, { b: 2 }).b", "2", object_assign, pure, true},
      {"Object", "select", "(object: Object | Document, path: Array<String>) => Any",
       "What lies at a path of names; null, where nothing does.",
       R"(Object.select({ a: { b: 1 } }, ["a", "b"]))", "1", object_select, pure, true},
      {"Object", "hasPath", "(object: Object | Document, path: Array<String>) => Boolean",
       "Whether there is a member at a path of names.",
       R"(Object.hasPath({ a: { b: 1 } }, ["a", "c"]))", "false", object_has_path, pure, true},
      {"Object", "toString", "(value: Any) => String", "The value as text.",
       "Object.toString({ a: 1 })", R"("{ a: 1 }")", object_to_string, pure, true},
  };
  return table;
}

}  // namespace mayfly::fauna
