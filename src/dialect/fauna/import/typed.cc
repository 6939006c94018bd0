#include "dialect/fauna/import/typed.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/crypto/crypto.h"
#include "dialect/fauna/schema/field_types.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

bool is_all_digits(const std::string& text) {
  return !text.empty() && text.size() <= 19 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// {"id": "123", "coll": "User"}
std::optional<FqlValue> reference_in_json(const FqlObject& object) {
  const FqlValue* const id = object.find("id");
  const FqlValue* const coll = object.find("coll");
  if (object.size() != 2 || id == nullptr || coll == nullptr) return std::nullopt;
  if (!id->is(FqlKind::text) || !coll->is(FqlKind::text)) return std::nullopt;
  if (!is_all_digits(id->text()) || !is_identifier(coll->text())) return std::nullopt;
  return FqlValue(DocumentHandle{.collection = coll->text(), .id = id->text()});
}

std::optional<FqlValue> time_in_text(const std::string& text) {
  const auto time = parse_time(text);
  return time ? std::optional<FqlValue>(*time) : std::nullopt;
}

std::optional<FqlValue> date_in_text(const std::string& text) {
  const auto date = parse_day(text);
  return date ? std::optional<FqlValue>(*date) : std::nullopt;
}

std::optional<FqlValue> bytes_in_text(const std::string& text) {
  auto bytes = decode_base64(text);
  if (!bytes) return std::nullopt;
  return FqlValue(ByteText{*std::move(bytes)});
}

std::optional<FqlValue> double_in_text(const std::string& text) {
  using Limits = std::numeric_limits<double>;
  if (text == "NaN") return FqlValue(Limits::quiet_NaN());
  if (text == "Infinity") return FqlValue(Limits::infinity());
  if (text == "-Infinity") return FqlValue(-Limits::infinity());
  return std::nullopt;
}

std::optional<FqlValue> uuid_in_text(const std::string& text) {
  return text.size() == 36 ? std::optional<FqlValue>(Uuid{text}) : std::nullopt;
}

std::optional<FqlValue> id_in_text(const std::string& text) {
  return is_all_digits(text) ? std::optional<FqlValue>(Id{text}) : std::nullopt;
}

// Types with values that are texts in the simple format.
struct TextualType {
  std::string_view name;
  std::optional<FqlValue> (*read)(const std::string& text);
};
constexpr TextualType textual_types[] = {
    {"Time", time_in_text},     {"Date", date_in_text},    {"Bytes", bytes_in_text},
    {"Double", double_in_text}, {"Float", double_in_text}, {"Number", double_in_text},
    {"UUID", uuid_in_text},     {"ID", id_in_text},
};

FqlValue typed_text(const FqlValue& json, std::string_view type) {
  for (const TextualType& row : textual_types) {
    if (row.name == type) return row.read(json.text()).value_or(json);
  }
  return json;
}

FqlValue typed_items(const FqlValue& json, const Type* type) {
  FqlArray items;
  items.reserve(json.array().size());
  for (const FqlValue& item : json.array()) items.push_back(typed(item, type));
  return items;
}

// For an unknown type.
FqlValue untyped(const FqlValue& json) {
  if (json.is(FqlKind::array)) return typed_items(json, nullptr);
  if (!json.is(FqlKind::object)) return json;
  if (auto reference = reference_in_json(json.object())) return *std::move(reference);
  FqlObject members;
  for (const auto& [name, value] : json.object().members()) members.append(name, untyped(value));
  return members;
}

FqlValue typed_object(const FqlValue& json, const ObjectType& type) {
  if (!json.is(FqlKind::object)) return json;
  FqlObject members;
  for (const auto& [name, value] : json.object().members()) {
    const auto field =
        std::find_if(type.fields.begin(), type.fields.end(),
                     [&, member = std::string_view(name)](const FieldType& candidate) {
                       return candidate.name == member;
                     });
    const Type* const of = field != type.fields.end() ? field->type.get() : type.wildcard.get();
    members.append(name, typed(value, of));
  }
  return members;
}

FqlValue typed_named(const FqlValue& json, const NamedType& type) {
  if (json.is(FqlKind::text)) return typed_text(json, type.name);
  const bool is_array = type.name == "Array" && type.arguments.size() == 1;
  if (is_array && json.is(FqlKind::array)) return typed_items(json, type.arguments[0].get());
  const bool is_double = type.name == "Double" || type.name == "Float";
  if (is_double && json.is(FqlKind::whole)) return json.number();
  return untyped(json);
}

FqlValue typed_tuple(const FqlValue& json, const TupleType& type) {
  if (!json.is(FqlKind::array) || json.array().size() != type.items.size()) return json;
  FqlArray items;
  for (std::size_t i = 0; i < type.items.size(); ++i) {
    items.push_back(typed(json.array()[i], type.items[i].get()));
  }
  return items;
}

// Uses the first member that the value fits. A number is not converted if some member accepts it
// unchanged.
FqlValue typed_union(const FqlValue& json, const UnionType& type) {
  for (const TypePtr& member : type.members) {
    if (json.is_number() && is_of_type(json, *member)) return json;
  }
  for (const TypePtr& member : type.members) {
    FqlValue made = typed(json, member.get());
    if (is_of_type(made, *member)) return made;
  }
  return untyped(json);
}

struct TypedAs {
  const FqlValue& json;

  FqlValue operator()(const ObjectType& type) const { return typed_object(json, type); }
  FqlValue operator()(const NamedType& type) const { return typed_named(json, type); }
  FqlValue operator()(const TupleType& type) const { return typed_tuple(json, type); }
  FqlValue operator()(const UnionType& type) const { return typed_union(json, type); }
  FqlValue operator()(const NullableType& type) const {
    return json.is_null() ? json : typed(json, type.type.get());
  }
  template <class Other>
  FqlValue operator()(const Other&) const {
    return untyped(json);
  }
};

}  // namespace

FieldTypes::FieldTypes(const CollectionDefinition& definition) {
  for (const FieldDefinition& field : definition.fields) {
    const SourcePtr source = make_source("*field:" + field.name + "*", field.signature);
    auto type = parse_type(source);
    if (!type) continue;
    types_.emplace(field.name, *std::move(type));
    sources_.push_back(source);
  }
}

const Type* FieldTypes::of(std::string_view field) const {
  const auto found = types_.find(field);
  return found == types_.end() ? nullptr : found->second.get();
}

FqlValue typed(const FqlValue& json, const Type* type) {
  return type == nullptr ? untyped(json) : std::visit(TypedAs{json}, type->node);
}

}  // namespace mayfly::fauna
