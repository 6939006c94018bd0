#include "dialect/fauna/schema/field_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/text/text.h"

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

// Checks values against types, and takes steps of a meter unless it is null. After the meter has
// failed, every value fits, so that the check ends soon.
class Typing {
 public:
  explicit Typing(Meter* meter) : meter_(meter) {}

  bool is_of(const FqlValue& value, const Type& type) {
    if (!step()) return true;
    return std::visit([&](const auto& node) { return is(value, node); }, type.node);
  }

  bool step(std::size_t n = 1) {
    if (meter_ != nullptr && ended_) ended_ = meter_->tick(static_cast<std::uint32_t>(n));
    return ended_.has_value();
  }
  const Result<void>& ended() const { return ended_; }

 private:
  bool is(const FqlValue&, const AnyType&) { return true; }
  bool is(const FqlValue&, const NeverType&) { return false; }
  bool is(const FqlValue& value, const LiteralType& type) { return is_literal(value, type); }
  bool is(const FqlValue&, const FunctionType&) { return false; }

  bool is(const FqlValue& value, const NamedType& type) {
    if (const Fits fits = fits_named(type.name)) return fits(value);
    if (type.name == "Array" && type.arguments.size() == 1) {
      return value.is(FqlKind::array) &&
             std::all_of(value.array().begin(), value.array().end(),
                         [&](const FqlValue& item) { return is_of(item, *type.arguments[0]); });
    }
    const bool is_reference =
        type.name == "Ref" || type.name == "EmptyRef" || type.name == "NullRef";
    if (is_reference && type.arguments.size() == 1) return is_of(value, *type.arguments[0]);
    std::string_view name = type.name;
    if (is_document_of(value, name)) return true;
    if (name.starts_with("Null")) name.remove_prefix(4);
    return is_document_of(value, name);
  }

  bool is(const FqlValue& value, const ObjectType& type) {
    if (!value.is(FqlKind::object)) return false;
    for (const FieldType& field : type.fields) {
      const FqlValue* member = value.object().find(field.name);
      if (!is_of(member == nullptr ? FqlValue() : *member, *field.type)) return false;
    }
    const auto& members = value.object().members();
    return std::all_of(members.begin(), members.end(), [&](const FqlObject::Member& member) {
      if (!step(type.fields.size())) return true;
      if (find_field(type, member.first) != nullptr || type.is_open) return true;
      return type.wildcard && is_of(member.second, *type.wildcard);
    });
  }

  bool is(const FqlValue& value, const TupleType& type) {
    if (!value.is(FqlKind::array) || value.array().size() != type.items.size()) return false;
    for (std::size_t i = 0; i < type.items.size(); ++i) {
      if (!is_of(value.array()[i], *type.items[i])) return false;
    }
    return true;
  }

  bool is(const FqlValue& value, const UnionType& type) {
    return std::any_of(type.members.begin(), type.members.end(),
                       [&](const TypePtr& member) { return is_of(value, *member); });
  }
  bool is(const FqlValue& value, const IntersectionType& type) {
    return std::all_of(type.members.begin(), type.members.end(),
                       [&](const TypePtr& member) { return is_of(value, *member); });
  }
  bool is(const FqlValue& value, const NullableType& type) {
    return value.is_null() || is_of(value, *type.type);
  }

  Meter* const meter_;
  Result<void> ended_;
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

// The members of a union; for any other type, the type itself.
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

// If literals are expected, the value is described as a literal.
std::string provided(const FqlValue& value, const Type& type) {
  const auto all = alternatives(type);
  const bool are_literals = std::any_of(
      all.begin(), all.end(), [](const Type* one) { return one->as<LiteralType>() != nullptr; });
  const bool is_literal =
      value.is(FqlKind::text) || value.is(FqlKind::boolean) || value.is_number();
  return are_literals && is_literal ? debug_text(value) : provided(value);
}

// Document types in messages: a document may be missing.
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

// For an object or an array: the only object type, or the element type, to check it against.
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

void check_in(Typing& typing, const FqlValue& value, const Type& type, const FailurePath& path,
              Failures& failures);

void check_members(Typing& typing, const FqlValue& value, const ObjectType& type,
                   const FailurePath& path, Failures& failures) {
  FailurePath below = path;
  for (const FieldType& field : type.fields) {
    below.resize(path.size());
    below.emplace_back(field.name);
    const FqlValue* member = value.object().find(field.name);
    if (member != nullptr) {
      check_in(typing, *member, *field.type, below, failures);
    } else if (!typing.is_of(FqlValue(), *field.type)) {
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
      check_in(typing, member, *type.wildcard, below, failures);
    }
  }
}

void check_in(Typing& typing, const FqlValue& value, const Type& type, const FailurePath& path,
              Failures& failures) {
  if (typing.is_of(value, type)) return;
  const std::vector<const Type*> all = alternatives(type);
  if (!typing.step(all.size())) return;
  const ObjectType* const object = value.is(FqlKind::object) ? object_in(type) : nullptr;
  if (object != nullptr) return check_members(typing, value, *object, path, failures);
  const Type* const items = value.is(FqlKind::array) ? items_in(type) : nullptr;
  if (items == nullptr) {
    // The expected types without repetitions.
    if (!typing.step(all.size() * all.size())) return;
    failures.add(path,
                 fmt::format("Expected {}, provided {}", expected(type), provided(value, type)));
    return;
  }
  for (std::size_t i = 0; i < value.array().size(); ++i) {
    FailurePath below = path;
    below.emplace_back(static_cast<std::int64_t>(i));
    check_in(typing, value.array()[i], *items, below, failures);
  }
}

}  // namespace

bool is_of_type(const FqlValue& value, const Type& type) {
  return Typing(nullptr).is_of(value, type);
}

void check_type(const FqlValue& value, const Type& type, const FailurePath& path,
                Failures& failures) {
  Typing typing(nullptr);
  check_in(typing, value, type, path, failures);
}

Result<void> check_type(Meter& meter, const FqlValue& value, const Type& type,
                        const FailurePath& path, Failures& failures) {
  Typing typing(&meter);
  check_in(typing, value, type, path, failures);
  return typing.ended();
}

bool takes_null(const Type& type) {
  return is_of_type(FqlValue(), type);
}

}  // namespace mayfly::fauna
