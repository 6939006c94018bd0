// Evaluates chains: fields, indexes, calls and `!`, from left to right.
#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/fauna/run/functions/bound.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/set.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

std::string text_of_null(const NullValue& null) {
  switch (null.cause) {
    case NullCause::literal: return "Null literal value";
    case NullCause::missing_field:
      return fmt::format("Null value, due to missing field `{}`",
                         null.detail ? null.detail->field : "");
    case NullCause::no_element: return "Null value, due to no element found";
    case NullCause::empty_set: return "Null value, due to empty set";
    case NullCause::empty_array: return "Null value, due to empty array";
    case NullCause::invalid_number: return "Null value, due to invalid number";
    case NullCause::permission_denied: return "Null value, due to permission denied";
    case NullCause::missing_identity: return "Null value, due to missing identity";
  }
  return "Null literal value";
}

std::string no_access(std::string_view name) {
  return fmt::format("Cannot access `{}` on null.", name);
}

}  // namespace

tl::unexpected<Error> Interpreter::fail_null(std::string_view code, std::string message,
                                             const NullValue& null) {
  QueryFailure failure{.code = std::string(code), .message = std::move(message)};
  if (null.detail && null.detail->source) {
    const SourcePtr& source = null.detail->source;
    const Span at{null.detail->begin, null.detail->end, source.get()};
    failure.hints.push_back({"Null value created here", at, source});
  }
  return fail(std::move(failure));
}

Result<FqlValue> Interpreter::of(const Chain& chain, Frame frame) {
  FqlValue value = TRY(evaluate(*chain.receiver, frame));
  bool is_skipping = false;
  for (const Step& step : chain.steps) {
    const bool is_bang = std::holds_alternative<BangStep>(step.what);
    if (is_skipping && !is_bang) continue;
    if (step.is_optional && TRY(is_null(value))) {
      is_skipping = true;
      value = nullptr;
      continue;
    }
    TRY(Run::step());
    const CallSite calling(*this, step.span);
    auto next = std::visit([&](const auto& what) { return take(what, value, frame); }, step.what);
    if (!next) locate(is_bang ? joined(chain.receiver->span, step.span) : step.span);
    value = TRY(std::move(next));
    is_skipping = is_skipping && !is_bang;
  }
  return value;
}

Result<FqlValue> Interpreter::take(const FieldStep& step, const FqlValue& value, Frame) {
  return field(value, step.name);
}

Result<FqlValue> Interpreter::take(const IndexStep& step, const FqlValue& value, Frame frame) {
  const std::vector<FqlValue> arguments = TRY(evaluate_all(step.arguments, frame));
  if (value.is(FqlKind::array) || value.is(FqlKind::text)) {
    return call_member(value, "at", arguments);
  }
  if (arguments.size() == 1 && arguments[0].is(FqlKind::text)) {
    return field(value, arguments[0].text());
  }
  return fail("invalid_function_invocation",
              fmt::format("The function `[]` does not exist on `{}`", type_name(value)));
}

Result<FqlValue> Interpreter::take(const CallStep& step, const FqlValue& value, Frame frame) {
  const std::vector<FqlValue> arguments = TRY(evaluate_all(step.arguments, frame));
  return call_value(value, arguments, {});
}

Result<FqlValue> Interpreter::take(const MethodStep& step, const FqlValue& value, Frame frame) {
  const std::vector<FqlValue> arguments = TRY(evaluate_all(step.arguments, frame));
  return call_member(value, step.name, arguments);
}

Result<FqlValue> Interpreter::take(const BangStep&, const FqlValue& value, Frame) {
  if (value.is_null()) return fail_null("null_value", text_of_null(value.null()), value.null());
  if (value.is(FqlKind::document)) TRY(check_effect(Effect::read, "Reading a document"));
  if (value.is(FqlKind::document) && !TRY(exists(value))) {
    if (TRY(is_denied(*value.document()))) {
      return fail("null_value", text_of_null({NullCause::permission_denied}));
    }
    return fail_missing(*value.document());
  }
  return value;
}

Result<FqlValue> Interpreter::call_value(const FqlValue& callee,
                                         std::span<const FqlValue> arguments,
                                         std::string_view name) {
  if (callee.is(FqlKind::function)) return call(*callee.function(), arguments);
  if (callee.is(FqlKind::module)) {
    // `Foo(id)` and `Time("…")`.
    const std::string& module = callee.module()->name;
    if (const Method* method = find_global(module)) {
      return call_method(*this, *method, callee, arguments);
    }
    if (TRY(collection(module))) {
      const bool is_named = TRY(collection(module))->is_named();
      return call_member(callee, is_named ? "byName" : "byId", arguments);
    }
  }
  return fail("invalid_function_invocation",
              name.empty()
                  ? fmt::format("Expected a function, found `{}`", type_name(callee))
                  : fmt::format("`{}`: Expected a function, found `{}`", name, type_name(callee)));
}

Result<FqlValue> Interpreter::call_member(const FqlValue& value, std::string_view name,
                                          std::span<const FqlValue> arguments) {
  if (value.is_null()) return fail_null("invalid_null_access", no_access(name), value.null());
  if (value.is(FqlKind::module)) {
    const Method* const method = TRY(method_of(*value.module(), name));
    if (method != nullptr && !is_field(*method)) {
      TRY(Run::step());  // counts like the call of its function value
      return call_method(*this, *method, value, arguments);
    }
    const FqlValue member = TRY(module_member(*value.module(), name));
    if (!member.is_null()) return call_value(member, arguments, name);
  } else if (value.is(FqlKind::document) && name != "exists" && !TRY(exists(value))) {
    return fail_access(*value.document(), name);
  } else if (const Method* method = find_method(type_of_methods(value), name)) {
    if (!is_field(*method)) return call_method(*this, *method, value, arguments);
    return call_value(TRY(field(value, name)), arguments, name);
  } else if (value.is(FqlKind::object) || value.is(FqlKind::document)) {
    const FqlValue member = TRY(field(value, name));
    if (!member.is_null()) return call_value(member, arguments, name);
  }
  return fail("invalid_function_invocation",
              fmt::format("The function `{}` does not exist on `{}`", name, type_name(value)));
}

Result<FqlValue> Interpreter::field(const FqlValue& value, std::string_view name) {
  switch (value.kind()) {
    case FqlKind::null: return fail_null("invalid_null_access", no_access(name), value.null());
    case FqlKind::document: return document_field(value, name);
    case FqlKind::module: return module_member(*value.module(), name);
    case FqlKind::object:
      if (const FqlValue* member = value.object().find(name)) {
        return member->is_null() ? null_because(NullCause::missing_field, name) : *member;
      }
      break;
    default: break;
  }
  const Method* method = find_method(type_of_methods(value), name);
  if (method == nullptr) {
    if (name.size() > limits::name_bytes_max) TRY(make(name.size()));
    return null_because(NullCause::missing_field, name);
  }
  if (is_field(*method)) return call_method(*this, *method, value, {});
  TRY(make(sizeof(BoundMethod)));
  return function_value<BoundMethod>(*method, value, !permissions_.uses_other_role());
}

// --- projections ---

Result<FqlValue> Interpreter::project(const FqlValue& value,
                                      const std::shared_ptr<const Callable>& element) {
  switch (value.kind()) {
    case FqlKind::document:
      TRY(check_effect(Effect::read, "Projection"));
      if (!TRY(exists(value))) return FqlValue(nullptr);
      return call(*element, std::span(&value, 1));
    case FqlKind::object: return call(*element, std::span(&value, 1));
    case FqlKind::array: {
      FqlArray made;
      TRY(make(sizeof(FqlValue) * value.array().size()));
      for (const FqlValue& item : value.array()) {
        TRY(step());
        made.push_back(TRY(project(item, element)));
      }
      return FqlValue(std::move(made));
    }
    case FqlKind::set: return set_value(*this, FqlSet::mapped(value.set(), element, true));
    default: return value;
  }
}

// --- names ---

std::optional<FqlValue> Interpreter::library_global(std::string_view name) {
  if (const SystemCollection* system = find_system(name)) {
    return FqlValue(module_of(std::string(system->name)));
  }
  if (is_library_module(name)) return FqlValue(module_of(std::string(name)));
  const Method* const method = find_global(name);
  return method == nullptr ? std::nullopt
                           : std::optional(function_value<BoundMethod>(
                                 *method, nullptr, !permissions_.uses_other_role()));
}

Result<FqlValue> Interpreter::global(std::string_view name) {
  if (auto of_library = library_global(name)) return *std::move(of_library);
  if (const FqlCollectionPtr found = TRY(collection(name))) return FqlValue(module_of(found->name));
  if (const auto function = TRY(user_function(name))) return FqlValue(function);
  return fail_missing_function(
      name, {.code = "unbound_variable", .message = fmt::format("Unbound variable `{}`", name)});
}

// Null if the module has no method of that name.
Result<const Method*> Interpreter::method_of(const Module& module, std::string_view name) {
  if (const Method* const method = find_static(module.name, name)) return method;
  const FqlCollectionPtr of = TRY(collection(module.name));
  if (!of) return nullptr;
  return find_static(of->rows(), name);
}

Result<FqlValue> Interpreter::module_member(const Module& module, std::string_view name) {
  if (module.name == fql_module) {
    if (name == "Schema") return FqlValue(module_of(std::string(fql_schema_module)));
    auto of_library = library_global(name);
    return of_library ? *std::move(of_library) : null_because(NullCause::missing_field, name);
  }
  if (const Method* const method = TRY(method_of(module, name))) {
    const FqlValue self(module_of(module.name));
    if (is_field(*method)) return call_method(*this, *method, self, {});
    return function_value<BoundMethod>(*method, self, !permissions_.uses_other_role());
  }
  const FqlCollectionPtr of = TRY(collection(module.name));
  if (of && of->definition && of->definition->find_index(name) != nullptr) {
    return function_value<BoundIndex>(of->name, std::string(name), !permissions_.uses_other_role());
  }
  return null_because(NullCause::missing_field, name);
}

// --- bound functions ---

BoundMethod::BoundMethod(const Method& method, FqlValue self, bool is_of_query)
    : method_(method),
      self_(std::move(self)),
      is_of_query_(is_of_query),
      name_(fmt::format("{}()", method.name)) {}

Result<FqlValue> BoundMethod::call(Run& run, std::span<const FqlValue> arguments) const {
  const Permissions::OwnRightsScope own(interpreter(run).permissions(), is_of_query_);
  return call_method(run, method_, self_, arguments);
}

BoundIndex::BoundIndex(std::string collection, std::string index, bool is_of_query)
    : collection_(std::move(collection)),
      index_(std::move(index)),
      is_of_query_(is_of_query),
      name_(index_ + "()") {}

Result<FqlValue> BoundIndex::call(Run& run, std::span<const FqlValue> arguments) const {
  const Permissions::OwnRightsScope own(interpreter(run).permissions(), is_of_query_);
  return read_index(interpreter(run), collection_, index_, arguments);
}

}  // namespace mayfly::fauna
