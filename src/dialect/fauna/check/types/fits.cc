#include "dialect/fauna/check/types/fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mayfly::fauna {
namespace {

constexpr std::array<std::string_view, 5> number_names{"Number", "Int", "Long", "Double", "Float"};

bool is_number(std::string_view scalar) {
  return std::find(number_names.begin(), number_names.end(), scalar) != number_names.end();
}

bool fits_scalar(std::string_view given, std::string_view wanted) {
  if (given == wanted || (is_number(given) && is_number(wanted))) return true;
  if (wanted == "Time") return given == "TransactionTime";
  return wanted == "ID" && (given == "String" || is_number(given));
}

bool is_null_type(const StaticType& type) {
  return type.is_scalar("Null") || type.is(StaticKind::missing);
}

bool fits_field(const StaticType& given, const StaticField& wanted) {
  if (const StaticPtr* field = given.find_field(wanted.name)) return fits(**field, *wanted.type);
  return given.rest != nullptr || may_be_null(*wanted.type);
}

bool fits_object(const StaticType& given, const StaticType& wanted) {
  if (given.is(StaticKind::document)) return true;
  if (!given.is(StaticKind::object)) return false;
  for (const StaticField& field : wanted.fields) {
    if (!fits_field(given, field)) return false;
  }
  return std::all_of(given.fields.begin(), given.fields.end(), [&](const StaticField& field) {
    if (wanted.find_field(field.name) != nullptr) return true;
    return wanted.rest != nullptr && fits(*field.type, *wanted.rest);
  });
}

bool fits_array(const StaticType& given, const StaticType& wanted) {
  if (given.is(StaticKind::array)) return fits(*given.parts[0], *wanted.parts[0]);
  return given.is(StaticKind::tuple) &&
         std::all_of(given.parts.begin(), given.parts.end(),
                     [&](const StaticPtr& item) { return fits(*item, *wanted.parts[0]); });
}

bool fits_tuple(const StaticType& given, const StaticType& wanted) {
  if (given.is(StaticKind::array)) return given.parts[0]->is(StaticKind::any);
  return given.is(StaticKind::tuple) &&
         std::equal(given.parts.begin(), given.parts.end(), wanted.parts.begin(),
                    wanted.parts.end(),
                    [](const StaticPtr& a, const StaticPtr& b) { return fits(*a, *b); });
}

// A function may declare more parameters than are passed only if it takes any number.
bool fits_function(const StaticType& given, const StaticType& wanted) {
  if (given.is(StaticKind::module)) return true;
  if (!given.is(StaticKind::function)) return false;
  if (wanted.arity.min != wanted.arity.max) return true;
  if (!given.arity.takes(wanted.parts.size())) return false;
  const std::size_t named = std::min(given.parts.size(), wanted.parts.size());
  for (std::size_t i = 0; i < named; ++i) {
    if (!fits(*wanted.parts[i], *given.parts[i])) return false;
  }
  if (fits(*given.rest, *wanted.rest)) return true;
  // A predicate may return null, which counts as false.
  return wanted.rest->is_scalar("Boolean") && fits(*without_null(given.rest), *wanted.rest);
}

bool fits_one(const StaticType& given, const StaticType& wanted) {
  switch (wanted.kind) {
    case StaticKind::scalar:
      if (wanted.name == "Null") return is_null_type(given);
      if (given.is(StaticKind::literal)) return fits_scalar(given.base, wanted.name);
      return given.is(StaticKind::scalar) && fits_scalar(given.name, wanted.name);
    case StaticKind::literal: return given.is(StaticKind::literal) && given.name == wanted.name;
    case StaticKind::array: return fits_array(given, wanted);
    case StaticKind::tuple: return fits_tuple(given, wanted);
    case StaticKind::set:
    case StaticKind::event_source:
      return given.kind == wanted.kind && fits(*given.parts[0], *wanted.parts[0]);
    case StaticKind::object: return fits_object(given, wanted);
    case StaticKind::function: return fits_function(given, wanted);
    case StaticKind::reference:
      return given.name == wanted.name &&
             (given.is(StaticKind::document) || given.is(StaticKind::missing) ||
              given.is(StaticKind::reference));
    case StaticKind::document:
    case StaticKind::missing:
    case StaticKind::module: return given.kind == wanted.kind && given.name == wanted.name;
    default: return false;
  }
}

bool has_literal(const StaticType& type) {
  const auto is_one = [](const StaticPtr& part) { return part->is(StaticKind::literal); };
  return type.is(StaticKind::literal) ||
         (type.is(StaticKind::one_of) && std::any_of(type.parts.begin(), type.parts.end(), is_one));
}

bool is_within(Span inner, Span outer) {
  return inner.source == outer.source && inner.begin >= outer.begin && inner.end <= outer.end;
}

struct TypeFault {
  std::string message;
  StaticPtr of;
};

// An error for each wrong field; `given` and `wanted` are objects.
std::vector<TypeFault> field_faults(const StaticPtr& given, const StaticType& wanted) {
  const std::string shown = render_static(*given);
  std::vector<TypeFault> wrong;
  for (const StaticField& field : given->fields) {
    const StaticPtr* known = wanted.find_field(field.name);
    const StaticType* type = known != nullptr ? known->get() : wanted.rest.get();
    if (type == nullptr) {
      wrong.push_back(
          {fmt::format("Type `{}` contains extra field `{}`", shown, field.name), given});
    } else if (!fits(*field.type, *type)) {
      wrong.push_back({mismatch_text(*field.type, *type), field.type});
    }
  }
  for (const StaticField& field : wanted.fields) {
    if (given->find_field(field.name) != nullptr || fits_field(*given, field)) continue;
    wrong.push_back({fmt::format("Type `{}` does not have field `{}`", shown, field.name), given});
  }
  return wrong;
}

// The place of the error: within the argument, if the value comes from there.
Span place_of(const TypeFault& fault, Span at) {
  const Span inferred_at = fault.of->inferred_at;
  return is_within(inferred_at, at) ? inferred_at : at;
}

Diagnostic fault_error(const TypeFault& fault, Span at) {
  Diagnostic error = error_at(place_of(fault, at), fault.message);
  const Span inferred_at = fault.of->inferred_at;
  if (inferred_at.source != nullptr && !is_within(inferred_at, at)) {
    error.hints.push_back(
        {fmt::format("Type `{}` inferred here", render_static(*widened(fault.of))), inferred_at});
  }
  return error;
}

bool names_reference(const StaticType& type, std::string_view collection) {
  if (!type.is(StaticKind::one_of)) {
    return type.is(StaticKind::reference) && type.name == collection;
  }
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [&](const StaticPtr& part) { return names_reference(*part, collection); });
}

// Whether the null of `Foo | Null`, as `first()` returns it, is accepted for a `Ref<Foo>`, which
// accepts a missing Foo. Whether there is a document is known only when the query runs.
bool may_be_missing(const StaticType& given, const StaticType& wanted) {
  return std::any_of(given.parts.begin(), given.parts.end(), [&](const StaticPtr& part) {
    const bool is_document = part->is(StaticKind::document) || part->is(StaticKind::reference);
    return is_document && names_reference(wanted, part->name);
  });
}

// The object in the expected type: `{ … } | Null`.
const StaticType* object_in(const StaticType& wanted) {
  if (wanted.is(StaticKind::object)) return &wanted;
  const StaticType* found = nullptr;
  if (!wanted.is(StaticKind::one_of)) return nullptr;
  for (const StaticPtr& part : wanted.parts) {
    if (is_null_type(*part)) continue;
    if (found != nullptr || !part->is(StaticKind::object)) return nullptr;
    found = part.get();
  }
  return found;
}

}  // namespace

bool fits(const StaticType& given, const StaticType& wanted) {
  if (given.is(StaticKind::any) || wanted.is(StaticKind::any)) return true;
  if (given.is(StaticKind::never)) return true;
  if (given.is(StaticKind::one_of)) {
    return std::all_of(given.parts.begin(), given.parts.end(), [&](const StaticPtr& part) {
      return fits(*part, wanted) || (part->is_scalar("Null") && may_be_missing(given, wanted));
    });
  }
  if (!wanted.is(StaticKind::one_of)) {
    if (!given.is(StaticKind::reference) || wanted.is(StaticKind::reference)) {
      return fits_one(given, wanted);
    }
    return false;
  }
  const auto takes = [&](const StaticType& one) {
    return std::any_of(wanted.parts.begin(), wanted.parts.end(),
                       [&](const StaticPtr& part) { return fits(one, *part); });
  };
  if (takes(given)) return true;
  if (given.is_scalar("Boolean")) {
    return takes(*literal_type("true", "Boolean")) && takes(*literal_type("false", "Boolean"));
  }
  return given.is(StaticKind::reference) && takes(*named_type(StaticKind::document, given.name)) &&
         takes(*named_type(StaticKind::missing, given.name));
}

bool may_be_null(const StaticType& type) {
  if (type.is(StaticKind::one_of)) {
    return std::any_of(type.parts.begin(), type.parts.end(),
                       [](const StaticPtr& part) { return may_be_null(*part); });
  }
  return type.is(StaticKind::any) || type.is(StaticKind::reference) || is_null_type(type);
}

StaticPtr null_in(const StaticPtr& type) {
  if (type->is(StaticKind::reference)) {
    return inferred(named_type(StaticKind::missing, type->name), type->inferred_at);
  }
  if (is_null_type(*type)) return type;
  if (!type->is(StaticKind::one_of)) return nullptr;
  for (const StaticPtr& part : type->parts) {
    if (const StaticPtr found = null_in(part)) return inferred(found, type->inferred_at);
  }
  return nullptr;
}

StaticPtr without_null(const StaticPtr& type) {
  if (type->is(StaticKind::reference)) {
    return inferred(named_type(StaticKind::document, type->name), type->inferred_at);
  }
  if (is_null_type(*type)) return never_type();
  if (!type->is(StaticKind::one_of)) return type;
  StaticList kept;
  for (const StaticPtr& part : type->parts) kept.push_back(without_null(part));
  return inferred(union_type(kept), type->inferred_at);
}

std::string mismatch_text(const StaticType& given, const StaticType& wanted) {
  const bool is_widened = given.is(StaticKind::literal) && !has_literal(wanted);
  return fmt::format("Type `{}` is not a subtype of `{}`",
                     is_widened ? given.base : render_static(given), render_static(wanted));
}

Diagnostic mismatch(const StaticPtr& given, const StaticPtr& wanted, Span at) {
  const TypeFault whole{mismatch_text(*given, *wanted), given};
  const StaticType* object = object_in(*wanted);
  if (object == nullptr || !given->is(StaticKind::object)) return fault_error(whole, at);
  const std::vector<TypeFault> wrong = field_faults(given, *object);
  if (wrong.size() == 1) return fault_error(wrong[0], at);
  Diagnostic error = fault_error(whole, at);
  for (const TypeFault& one : wrong) {
    error.hints.push_back({one.message, place_of(one, at), std::nullopt, Hint::Kind::cause});
  }
  return error;
}

}  // namespace mayfly::fauna
