// Converts between FqlValue and Value.
#include "dialect/fauna/values/stored.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view stored_time = "#time";
constexpr std::string_view stored_uuid = "#uuid";
constexpr std::string_view stored_module = "#module";

constexpr std::array<std::string_view, 5> named_collections = {"AccessProvider", "Collection",
                                                               "Database", "Function", "Role"};

Value internal_reference(std::string_view collection, std::string text) {
  return Reference{std::string(collection), std::move(text)};
}

// Stored as an instant if that is exact, so that other dialects see a time.
Value stored_time_of(const FqlTime& t) {
  const Instant instant = t.instant();
  const bool is_exact =
      instant >= limits::instant_min && instant <= limits::instant_max && FqlTime::of(instant) == t;
  return is_exact ? Value(instant) : internal_reference(stored_time, render_time(t));
}

Result<Value> stored_date_of(const FqlDate& date) {
  if (date.days < INT32_MIN || date.days > INT32_MAX) {
    return fail(Code::invalid, "A date so far away cannot be stored.");
  }
  return Date{static_cast<std::int32_t>(date.days)};
}

Result<Value> stored_items(const FqlArray& items) {
  Array array;
  array.reserve(items.size());
  for (const FqlValue& item : items) array.push_back(TRY(to_stored(item)));
  return array;
}

Result<Value> stored_members(const FqlObject& members) {
  Object object;
  for (const auto& [name, value] : members.members()) object.append(name, TRY(to_stored(value)));
  return object;
}

tl::unexpected<Error> not_storable(const FqlValue& value) {
  return fail(Code::invalid,
              value.is(FqlKind::function)
                  ? "Anonymous functions cannot be stored. Use a string of FQL instead."
                  : "Sets and event sources cannot be stored.");
}

FqlValue value_of(const Reference& reference) {
  if (reference.collection == stored_time) {
    const auto t = parse_time(reference.id);
    return t ? FqlValue(*t) : FqlValue();
  }
  if (reference.collection == stored_id) return Id{reference.id};
  if (reference.collection == stored_uuid) return Uuid{reference.id};
  if (reference.collection == stored_module) return module_of(reference.id);
  return DocumentHandle{.collection = reference.collection,
                        .id = reference.id,
                        .is_named = has_named_documents(reference.collection)};
}

FqlValue value_of(const Array& array) {
  FqlArray items;
  items.reserve(array.size());
  for (const Value& item : array) items.push_back(from_stored(item));
  return items;
}

FqlValue value_of(const Object& object) {
  FqlObject members;
  for (const auto& [name, value] : object) {
    if (!value.is_missing()) members.append(name, from_stored(value));
  }
  return members;
}

}  // namespace

Result<Value> to_stored(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::null: return Null();
    case FqlKind::boolean: return value.boolean();
    case FqlKind::whole: return value.whole().number;
    case FqlKind::real: return value.real();
    case FqlKind::text: return value.text();
    case FqlKind::bytes: return Binary{value.bytes()};
    case FqlKind::time: return stored_time_of(value.time());
    case FqlKind::date: return stored_date_of(value.date());
    case FqlKind::uuid: return internal_reference(stored_uuid, value.uuid());
    case FqlKind::id: return internal_reference(stored_id, value.id());
    case FqlKind::module:
      return internal_reference(stored_module, std::string(module_name(*value.module())));
    case FqlKind::document: return Reference{value.document()->collection, value.document()->id};
    case FqlKind::object: return stored_members(value.object());
    case FqlKind::array: return stored_items(value.array());
    default: return not_storable(value);
  }
}

FqlValue from_stored(const Value& value) {
  switch (value.kind()) {
    case Kind::missing:
    case Kind::null: return {};
    case Kind::boolean: return value.boolean();
    case Kind::integer: return whole_number(value.integer());
    case Kind::real: return value.real();
    case Kind::text: return value.text();
    case Kind::time: return FqlTime::of(value.time());
    case Kind::date: return FqlDate{value.date().days};
    case Kind::binary: return ByteText{value.binary().bytes};
    case Kind::reference: return value_of(value.reference());
    case Kind::array: return value_of(value.array());
    case Kind::object: return value_of(value.object());
  }
  return {};
}

std::vector<Value> stored_equals(const Value& value) {
  if (value.is(Kind::text) && is_digits(value.text())) {
    return {value, internal_reference(stored_id, value.text())};
  }
  if (!value.is(Kind::reference) || value.reference().collection != stored_id) return {value};
  const std::string& digits = value.reference().id;
  std::vector<Value> equals{value, Value(digits)};
  if (const auto number = id_number(digits)) equals.emplace_back(*number);
  return equals;
}

bool has_named_documents(std::string_view collection) {
  return std::find(named_collections.begin(), named_collections.end(), collection) !=
         named_collections.end();
}

}  // namespace mayfly::fauna
