#include "dialect/fauna/schema/field_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/text.h"

namespace mayfly::fauna {
namespace {

bool is_int(const FqlValue& value) {
  return value.is(FqlKind::whole) && value.whole().number >= INT32_MIN &&
         value.whole().number <= INT32_MAX;
}

template <FqlKind kind>
bool is_kind(const FqlValue& value) {
  return value.is(kind);
}

using Fits = bool (*)(const FqlValue& value);

Fits fits_named(std::string_view name) {
  static const std::map<std::string_view, Fits> table{
      {"Any", [](const FqlValue&) { return true; }},
      {"Null", is_kind<FqlKind::null>},
      {"Boolean", is_kind<FqlKind::boolean>},
      {"Int", is_int},
      {"Long", is_kind<FqlKind::whole>},
      {"Double", is_kind<FqlKind::real>},
      {"Float", is_kind<FqlKind::real>},
      {"Number", [](const FqlValue& value) { return value.is_number(); }},
      {"String", is_kind<FqlKind::text>},
      {"Bytes", is_kind<FqlKind::bytes>},
      {"Time",
       [](const FqlValue& value) {
         return value.is(FqlKind::time) || value.is(FqlKind::transaction_time);
       }},
      {"Date", is_kind<FqlKind::date>},
      {"UUID", is_kind<FqlKind::uuid>},
      {"ID", is_kind<FqlKind::id>},
      {"Object", is_kind<FqlKind::object>},
      {"Struct", is_kind<FqlKind::object>},
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

bool is_document_of(const FqlValue& value, std::string_view collection) {
  return value.is(FqlKind::document) && value.document()->collection == collection;
}

bool is_named(const FqlValue& value, const NamedType& type) {
  if (const Fits fits = fits_named(type.name)) return fits(value);
  if (type.name == "Array" && type.arguments.size() == 1) {
    return value.is(FqlKind::array) &&
           std::all_of(value.array().begin(), value.array().end(),
                       [&](const FqlValue& item) { return is_of_type(item, *type.arguments[0]); });
  }
  const bool is_reference = type.name == "Ref" || type.name == "EmptyRef" || type.name == "NullRef";
  if (is_reference && type.arguments.size() == 1) {
    return is_of_type(value, *type.arguments[0]);
  }
  std::string_view name = type.name;
  if (is_document_of(value, name)) return true;
  if (name.starts_with("Null")) name.remove_prefix(4);
  return is_document_of(value, name);
}

bool is_literal(const FqlValue& value, const LiteralType& type) {
  return std::visit(
      [&](const auto& literal) {
        using T = std::decay_t<decltype(literal)>;
        if constexpr (std::is_same_v<T, std::int64_t>) return equal(value, whole_number(literal));
        if constexpr (!std::is_same_v<T, std::int64_t>) return equal(value, FqlValue(literal));
      },
      type.value);
}

const FieldType* find_field(const ObjectType& type, std::string_view name) {
  const auto found = std::find_if(type.fields.begin(), type.fields.end(),
                                  [&](const FieldType& field) { return field.name == name; });
  return found == type.fields.end() ? nullptr : &*found;
}

bool is_object(const FqlValue& value, const ObjectType& type) {
  Failures failures;
  if (!value.is(FqlKind::object)) return false;
  for (const FieldType& field : type.fields) {
    const FqlValue* member = value.object().find(field.name);
    if (!is_of_type(member == nullptr ? FqlValue() : *member, *field.type)) return false;
  }
  return std::all_of(value.object().members().begin(), value.object().members().end(),
                     [&](const FqlObject::Member& member) {
                       if (find_field(type, member.first) != nullptr || type.is_open) return true;
                       return type.wildcard && is_of_type(member.second, *type.wildcard);
                     });
}

bool is_tuple(const FqlValue& value, const TupleType& type) {
  if (!value.is(FqlKind::array) || value.array().size() != type.items.size()) return false;
  for (std::size_t i = 0; i < type.items.size(); ++i) {
    if (!is_of_type(value.array()[i], *type.items[i])) return false;
  }
  return true;
}

struct IsOfType {
  const FqlValue& value;

  bool operator()(const AnyType&) const { return true; }
  bool operator()(const NeverType&) const { return false; }
  bool operator()(const LiteralType& type) const { return is_literal(value, type); }
  bool operator()(const NamedType& type) const { return is_named(value, type); }
  bool operator()(const ObjectType& type) const { return is_object(value, type); }
  bool operator()(const TupleType& type) const { return is_tuple(value, type); }
  bool operator()(const FunctionType&) const { return false; }
  bool operator()(const UnionType& type) const {
    return std::any_of(type.members.begin(), type.members.end(),
                       [&](const TypePtr& member) { return is_of_type(value, *member); });
  }
  bool operator()(const IntersectionType& type) const {
    return std::all_of(type.members.begin(), type.members.end(),
                       [&](const TypePtr& member) { return is_of_type(value, *member); });
  }
  bool operator()(const NullableType& type) const {
    return value.is_null() || is_of_type(value, *type.type);
  }
};

std::string provided(const FqlValue& value) {
  if (value.is(FqlKind::document)) return "Document";
  if (!value.is(FqlKind::array)) return type_name(value);
  std::string items;
  for (const FqlValue& item : value.array()) {
    if (items.size() > limits::fql_type_text_max) return "[" + items + ", …]";
    items += (items.empty() ? "" : ", ") + provided(item);
  }
  return "[" + items + "]";
}

// What a type is a union of; else itself.
std::vector<const Type*> alternatives(const Type& type) {
  if (const auto* nullable = type.as<NullableType>()) return alternatives(*nullable->type);
  const auto* united = type.as<UnionType>();
  if (united == nullptr) return {&type};
  std::vector<const Type*> all;
  for (const TypePtr& member : united->members) {
    for (const Type* one : alternatives(*member)) all.push_back(one);
  }
  return all;
}

// Where literals are expected, a value is described as one.
std::string provided(const FqlValue& value, const Type& type) {
  const auto all = alternatives(type);
  const bool are_literals = std::any_of(
      all.begin(), all.end(), [](const Type* one) { return one->as<LiteralType>() != nullptr; });
  const bool is_literal =
      value.is(FqlKind::text) || value.is(FqlKind::boolean) || value.is_number();
  return are_literals && is_literal ? debug_text(value) : provided(value);
}

// Documents as messages have them: one may be missing.
std::string expected(const Type& type) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  };
  for (const Type* one : alternatives(type)) {
    const NamedType* named = one->as<NamedType>();
    const bool is_document = named != nullptr && fits_named(named->name) == nullptr &&
                             named->arguments.empty() && !named->name.starts_with("Null");
    add(is_document ? named->name : render_type_in_full(*one));
    if (is_document) add("Null" + named->name);
  }
  if (type.as<NullableType>() != nullptr) add("Null");
  return fmt::format("{}", fmt::join(parts, " | "));
}

// The one object type, and the type of elements, that a value which is an object or an array is
// held to.
const ObjectType* object_in(const Type& type) {
  const ObjectType* found = nullptr;
  for (const Type* one : alternatives(type)) {
    const auto* object = one->as<ObjectType>();
    if (object != nullptr && found != nullptr) return nullptr;
    if (object != nullptr) found = object;
  }
  return found;
}

const Type* items_in(const Type& type) {
  for (const Type* one : alternatives(type)) {
    const auto* named = one->as<NamedType>();
    const bool is_array =
        named != nullptr && named->name == "Array" && named->arguments.size() == 1;
    if (is_array) return named->arguments[0].get();
  }
  return nullptr;
}

void check_members(const FqlValue& value, const ObjectType& type, const FailurePath& path,
                   Failures& failures) {
  FailurePath below = path;
  for (const FieldType& field : type.fields) {
    below.resize(path.size());
    below.emplace_back(field.name);
    const FqlValue* member = value.object().find(field.name);
    if (member != nullptr) {
      check_type(*member, *field.type, below, failures);
    } else if (!takes_null(*field.type)) {
      failures.add(below, fmt::format("Missing required field of type {}", expected(*field.type)));
    }
  }
  for (const auto& [name, member] : value.object().members()) {
    if (find_field(type, name) != nullptr || type.is_open) continue;
    below.resize(path.size());
    below.emplace_back(name);
    if (!type.wildcard) {
      failures.add(below, "Unexpected field provided");
    } else {
      check_type(member, *type.wildcard, below, failures);
    }
  }
}

}  // namespace

bool is_of_type(const FqlValue& value, const Type& type) {
  return std::visit(IsOfType{value}, type.node);
}

void check_type(const FqlValue& value, const Type& type, const FailurePath& path,
                Failures& failures) {
  if (is_of_type(value, type)) return;
  const ObjectType* const object = value.is(FqlKind::object) ? object_in(type) : nullptr;
  if (object != nullptr) return check_members(value, *object, path, failures);
  const Type* const items = value.is(FqlKind::array) ? items_in(type) : nullptr;
  if (items == nullptr) {
    failures.add(path,
                 fmt::format("Expected {}, provided {}", expected(type), provided(value, type)));
    return;
  }
  for (std::size_t i = 0; i < value.array().size(); ++i) {
    FailurePath below = path;
    below.emplace_back(static_cast<std::int64_t>(i));
    check_type(value.array()[i], *items, below, failures);
  }
}

bool takes_null(const Type& type) {
  return is_of_type(FqlValue(), type);
}

}  // namespace mayfly::fauna
