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

bool fits_scalar(std::string_view actual, std::string_view expected) {
  if (actual == expected || (is_number(actual) && is_number(expected))) return true;
  if (expected == "Time") return actual == "TransactionTime";
  return expected == "ID" && (actual == "String" || is_number(actual));
}

bool is_null_type(const StaticType& type) {
  return type.is_scalar("Null") || type.is(StaticKind::missing);
}

bool fits_field(const StaticType& actual, const StaticField& expected) {
  if (const StaticPtr* field = actual.find_field(expected.name))
    return fits(**field, *expected.type);
  return actual.rest != nullptr || may_be_null(*expected.type);
}

bool fits_object(const StaticType& actual, const StaticType& expected) {
  if (actual.is(StaticKind::document)) return true;
  if (!actual.is(StaticKind::object)) return false;
  for (const StaticField& field : expected.fields) {
    if (!fits_field(actual, field)) return false;
  }
  return std::all_of(actual.fields.begin(), actual.fields.end(), [&](const StaticField& field) {
    if (expected.find_field(field.name) != nullptr) return true;
    return expected.rest != nullptr && fits(*field.type, *expected.rest);
  });
}

bool fits_array(const StaticType& actual, const StaticType& expected) {
  if (actual.is(StaticKind::array)) return fits(*actual.parts[0], *expected.parts[0]);
  return actual.is(StaticKind::tuple) &&
         std::all_of(actual.parts.begin(), actual.parts.end(),
                     [&](const StaticPtr& item) { return fits(*item, *expected.parts[0]); });
}

bool fits_tuple(const StaticType& actual, const StaticType& expected) {
  if (actual.is(StaticKind::array)) return actual.parts[0]->is(StaticKind::any);
  return actual.is(StaticKind::tuple) &&
         std::equal(actual.parts.begin(), actual.parts.end(), expected.parts.begin(),
                    expected.parts.end(),
                    [](const StaticPtr& a, const StaticPtr& b) { return fits(*a, *b); });
}

// A function may declare more parameters than are passed only if it takes any number.
bool fits_function(const StaticType& actual, const StaticType& expected) {
  if (actual.is(StaticKind::module)) return true;
  if (!actual.is(StaticKind::function)) return false;
  if (expected.arity.min != expected.arity.max) return true;
  if (!actual.arity.takes(expected.parts.size())) return false;
  const std::size_t named = std::min(actual.parts.size(), expected.parts.size());
  for (std::size_t i = 0; i < named; ++i) {
    if (!fits(*expected.parts[i], *actual.parts[i])) return false;
  }
  if (fits(*actual.rest, *expected.rest)) return true;
  // A predicate may return null, which counts as false.
  return expected.rest->is_scalar("Boolean") && fits(*without_null(actual.rest), *expected.rest);
}

bool fits_one(const StaticType& actual, const StaticType& expected) {
  switch (expected.kind) {
    case StaticKind::scalar:
      if (expected.name == "Null") return is_null_type(actual);
      if (actual.is(StaticKind::literal)) return fits_scalar(actual.base, expected.name);
      return actual.is(StaticKind::scalar) && fits_scalar(actual.name, expected.name);
    case StaticKind::literal: return actual.is(StaticKind::literal) && actual.name == expected.name;
    case StaticKind::array: return fits_array(actual, expected);
    case StaticKind::tuple: return fits_tuple(actual, expected);
    case StaticKind::set:
    case StaticKind::event_source:
      return actual.kind == expected.kind && fits(*actual.parts[0], *expected.parts[0]);
    case StaticKind::object: return fits_object(actual, expected);
    case StaticKind::function: return fits_function(actual, expected);
    case StaticKind::reference:
      return actual.name == expected.name &&
             (actual.is(StaticKind::document) || actual.is(StaticKind::missing) ||
              actual.is(StaticKind::reference));
    case StaticKind::document:
    case StaticKind::missing:
    case StaticKind::module: return actual.kind == expected.kind && actual.name == expected.name;
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

// An error for each wrong field; `actual` and `expected` are objects.
std::vector<TypeFault> field_faults(const StaticPtr& actual, const StaticType& expected) {
  const std::string shown = render_static(*actual);
  std::vector<TypeFault> wrong;
  for (const StaticField& field : actual->fields) {
    const StaticPtr* known = expected.find_field(field.name);
    const StaticType* type = known != nullptr ? known->get() : expected.rest.get();
    if (type == nullptr) {
      wrong.push_back(
          {fmt::format("Type `{}` contains extra field `{}`", shown, field.name), actual});
    } else if (!fits(*field.type, *type)) {
      wrong.push_back({mismatch_text(*field.type, *type), field.type});
    }
  }
  for (const StaticField& field : expected.fields) {
    if (actual->find_field(field.name) != nullptr || fits_field(*actual, field)) continue;
    wrong.push_back({fmt::format("Type `{}` does not have field `{}`", shown, field.name), actual});
  }
  return wrong;
}

// The place of the error: within the argument, if the value comes from there.
Span error_span(const TypeFault& fault, Span at) {
  const Span inferred_at = fault.of->inferred_at;
  return is_within(inferred_at, at) ? inferred_at : at;
}

Diagnostic fault_error(const TypeFault& fault, Span at) {
  Diagnostic error = error_at(error_span(fault, at), fault.message);
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
bool may_be_missing(const StaticType& actual, const StaticType& expected) {
  return std::any_of(actual.parts.begin(), actual.parts.end(), [&](const StaticPtr& part) {
    const bool is_document = part->is(StaticKind::document) || part->is(StaticKind::reference);
    return is_document && names_reference(expected, part->name);
  });
}

// The object in the expected type: `{ … } | Null`.
const StaticType* object_in(const StaticType& expected) {
  if (expected.is(StaticKind::object)) return &expected;
  const StaticType* found = nullptr;
  if (!expected.is(StaticKind::one_of)) return nullptr;
  for (const StaticPtr& part : expected.parts) {
    if (is_null_type(*part)) continue;
    if (found != nullptr || !part->is(StaticKind::object)) return nullptr;
    found = part.get();
  }
  return found;
}

}  // namespace

bool fits(const StaticType& actual, const StaticType& expected) {
  if (actual.is(StaticKind::any) || expected.is(StaticKind::any)) return true;
  if (actual.is(StaticKind::never)) return true;
  if (actual.is(StaticKind::one_of)) {
    return std::all_of(actual.parts.begin(), actual.parts.end(), [&](const StaticPtr& part) {
      return fits(*part, expected) || (part->is_scalar("Null") && may_be_missing(actual, expected));
    });
  }
  if (!expected.is(StaticKind::one_of)) {
    if (!actual.is(StaticKind::reference) || expected.is(StaticKind::reference)) {
      return fits_one(actual, expected);
    }
    return false;
  }
  const auto takes = [&](const StaticType& one) {
    return std::any_of(expected.parts.begin(), expected.parts.end(),
                       [&](const StaticPtr& part) { return fits(one, *part); });
  };
  if (takes(actual)) return true;
  if (actual.is_scalar("Boolean")) {
    return takes(*literal_type("true", "Boolean")) && takes(*literal_type("false", "Boolean"));
  }
  return actual.is(StaticKind::reference) &&
         takes(*named_type(StaticKind::document, actual.name)) &&
         takes(*named_type(StaticKind::missing, actual.name));
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

std::string mismatch_text(const StaticType& actual, const StaticType& expected) {
  const bool is_widened = actual.is(StaticKind::literal) && !has_literal(expected);
  return fmt::format("Type `{}` is not a subtype of `{}`",
                     is_widened ? actual.base : render_static(actual), render_static(expected));
}

Diagnostic mismatch(const StaticPtr& actual, const StaticPtr& expected, Span at) {
  const TypeFault whole{mismatch_text(*actual, *expected), actual};
  const StaticType* object = object_in(*expected);
  if (object == nullptr || !actual->is(StaticKind::object)) return fault_error(whole, at);
  const std::vector<TypeFault> wrong = field_faults(actual, *object);
  if (wrong.size() == 1) return fault_error(wrong[0], at);
  Diagnostic error = fault_error(whole, at);
  for (const TypeFault& one : wrong) {
    error.hints.push_back({one.message, error_span(one, at), std::nullopt, Hint::Kind::cause});
  }
  return error;
}

}  // namespace mayfly::fauna
