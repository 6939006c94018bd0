// Checks chains, from left to right.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/check/checker.h"
#include "dialect/fauna/check/types/fits.h"
#include "dialect/fauna/library/signature.h"

namespace mayfly::fauna {
namespace {

Diagnostic null_error(const StaticType& null, std::string_view message, Span at, Span before) {
  Diagnostic error = error_at(at, fmt::format("Type `{}` {}", render_static(null), message));
  if (null.inferred_at.source != nullptr && null.inferred_at.begin < before.begin) {
    error.hints.push_back(
        {fmt::format("Type `{}` inferred here", render_static(null)), null.inferred_at});
  }
  error.hints.push_back({"Use the ! or ?. operator to handle the null case",
                         {before.end, before.end, before.source},
                         "!"});
  return error;
}

}  // namespace

StaticPtr Checker::of(const Chain& chain, Span, Frame& frame) {
  StaticPtr value = infer(*chain.receiver, frame);
  Span before = chain.receiver->span;
  bool may_skip = false;  // a `?.` may have skipped the rest
  for (const Step& step : chain.steps) {
    if (std::holds_alternative<BangStep>(step.what)) {
      value = without_null(value);
      may_skip = false;
    } else {
      if (step.is_optional) {
        may_skip = may_skip || may_be_null(*value);
        value = without_null(value);
      }
      value = take(value, step, before, frame);
    }
    before = joined(before, step.span);
    value = inferred(value, before);
    if (!may_continue(value)) return any_type();
  }
  return may_skip ? inferred(union_type({value, null_type()}), before) : value;
}

StaticPtr Checker::take(const StaticPtr& value, const Step& step, Span before, Frame& frame) {
  if (const auto* field = std::get_if<FieldStep>(&step.what)) {
    return take_field(value, field->name, field->name_span, before);
  }
  if (const auto* method = std::get_if<MethodStep>(&step.what)) {
    return take_method(value, *method, step.span, before, frame);
  }
  if (const auto* index = std::get_if<IndexStep>(&step.what)) {
    return take_index(value, *index, step.span, before, frame);
  }
  return take_call(value, std::get<CallStep>(step.what), step.span, before, frame);
}

StaticPtr Checker::needed(const StaticPtr& value, std::string_view message, Span at, Span before) {
  const StaticPtr null = null_in(value);
  if (!null) return value;
  StaticPtr rest = without_null(value);
  report(null_error(*null, message, at, before));
  return rest->is(StaticKind::never) ? any_type() : rest;
}

void Checker::infer_all(const ExpressionList& list, Frame& frame) {
  for (const ExpressionPtr& one : list) infer(*one, frame);
}

StaticPtr Checker::take_field(const StaticPtr& value, std::string_view name, Span at, Span before) {
  if (const auto found = find(*value, name)) return found->type;
  const std::string message = fmt::format("does not have field `{}`", name);
  const StaticPtr there = needed(value, message, at, before);
  if (there->is(StaticKind::any) || there->is(StaticKind::never)) return there;
  const StaticList parts = there->is(StaticKind::one_of) ? there->parts : StaticList{there};
  StaticList types;
  for (const StaticPtr& part : parts) {
    if (const auto found = find(*part, name)) {
      types.push_back(found->type);
      continue;
    }
    report(error_at(at, fmt::format("Type `{}` {}", render_static(*widened(part)), message)));
    return any_type();
  }
  return union_type(types);
}

StaticPtr Checker::take_method(const StaticPtr& value, const MethodStep& step, Span at, Span before,
                               Frame& frame) {
  const Called call{step.arguments, at};
  // Members that missing documents have as well.
  const auto direct = find(*value, step.name);
  if (direct) return call_found(*direct, call, step.name_span, frame);
  const StaticPtr there = widened(
      needed(value, fmt::format("does not have field `{}`", step.name), step.name_span, before));
  if (const auto found = find(*there, step.name)) {
    return call_found(*found, call, step.name_span, frame);
  }
  infer_all(step.arguments, frame);
  if (there->is(StaticKind::one_of)) take_field(there, step.name, step.name_span, before);
  if (there->is(StaticKind::any) || there->is(StaticKind::never) || there->is(StaticKind::one_of)) {
    return any_type();
  }
  report(error_at(step.name_span, fmt::format("Type `{}` does not have field `{}`",
                                              render_static(*there), step.name)));
  return any_type();
}

StaticPtr Checker::call_found(const Found& found, const Called& call, Span at, Frame& frame) {
  if (found.row != nullptr) return call_row(*found.row, found.types, call, frame);
  return call_type(found.type, call, at, frame);
}

// --- calls ---

StaticPtr Checker::take_call(const StaticPtr& value, const CallStep& step, Span at, Span before,
                             Frame& frame) {
  const StaticPtr callee = needed(value, "cannot be used as a function", before, before);
  return call_type(callee, {step.arguments, at}, before, frame);
}

StaticPtr Checker::call_type(const StaticPtr& callee, const Called& call, Span at, Frame& frame) {
  if (callee->is(StaticKind::function)) return call_function(*callee, call, frame);
  if (callee->is(StaticKind::module)) {
    if (const Method* row = find_global(callee->name)) return call_row(*row, {}, call, frame);
    for (const char* by : {"byId", "byName"}) {
      const auto found = find(*callee, by);
      if (found && found->row != nullptr) return call_row(*found->row, found->types, call, frame);
    }
  }
  infer_all(call.arguments, frame);
  if (callee->is(StaticKind::any) || callee->is(StaticKind::never) ||
      callee->is(StaticKind::one_of)) {
    return any_type();
  }
  report(error_at(
      at, fmt::format("Type `{}` cannot be used as a function", render_static(*widened(callee)))));
  return any_type();
}

bool Checker::check_arity(Arity arity, const Called& call) {
  const std::size_t count = call.arguments.size();
  if (arity.takes(count)) return true;
  const bool is_more = count > arity.max;
  const std::string expected_count =
      arity.min == arity.max
          ? std::to_string(arity.min)
          : fmt::format("{} {}", is_more ? "at most" : "at least", is_more ? arity.max : arity.min);
  report(error_at(call.span, fmt::format("Function was {}. Expected {}, received {}",
                                         is_more ? "called with too many arguments"
                                                 : "not called with enough arguments",
                                         expected_count, count)));
  return false;
}

StaticPtr Checker::call_function(const StaticType& function, const Called& call, Frame& frame) {
  check_arity(function.arity, call);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const StaticPtr expected = i < function.parts.size() ? function.parts[i] : any_type();
    check(*call.arguments[i], expected, frame);
  }
  return function.rest;
}

StaticPtr Checker::call_row(const Method& row, const RowTypes& actual, const Called& call,
                            Frame& frame) {
  const Signature& signature = signature_of(row);
  RowTypes types = actual;
  check_arity(signature.arity, call);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Expression& argument = *call.arguments[i];
    if (signature.parameters.empty()) {
      infer(argument, frame);
      continue;
    }
    const MethodParameter& parameter =
        signature.parameters[std::min(i, signature.parameters.size() - 1)];
    const StaticPtr written = written_type(row, types);
    const StaticPtr type =
        check(argument, written ? written : known_.of_row(parameter.text, types), frame);
    if (!type->is(StaticKind::function)) continue;
    // `(A) => Set<B>`: the element type of the set.
    types.actual = parameter.text.ends_with("<B>") ? element_of(*type->rest) : type->rest;
  }
  return known_.of_row(signature.result, types);
}

// --- [] ---

StaticPtr Checker::take_index(const StaticPtr& value, const IndexStep& step, Span at, Span before,
                              Frame& frame) {
  StaticPtr by = any_type();
  for (const ExpressionPtr& argument : step.arguments) by = infer(*argument, frame);
  const StaticPtr there = needed(value, "does not have field `[]`", at, before);
  if (step.arguments.size() != 1) return any_type();
  // A text sent as data, like an unknown text, may name any field.
  if (by->is(StaticKind::literal) && by->base == "String" && !by->is_sent &&
      (there->is(StaticKind::object) || there->is(StaticKind::document))) {
    std::string_view name = by->name;
    name = name.substr(1, name.size() - 2);
    if (name.find('\\') != name.npos) return any_type();
    return take_field(there, name, at, before);
  }
  return index_one(widened(there), by, step.arguments[0]->span);
}

StaticPtr Checker::index_one(const StaticPtr& value, const StaticPtr& by, Span at) {
  switch (value->kind) {
    case StaticKind::array:
    case StaticKind::tuple: require(by, scalar_type("Number"), at); return element_of(*value);
    case StaticKind::object:
    case StaticKind::document: require(by, scalar_type("String"), at); return any_type();
    case StaticKind::any:
    case StaticKind::never:
    case StaticKind::module:
    case StaticKind::one_of: return any_type();
    default: break;
  }
  if (value->is_scalar("String")) {
    require(by, scalar_type("Number"), at);
    return value;
  }
  report(
      error_at(at, fmt::format("Cannot use `[]` operator with type `{}`", render_static(*value))));
  return any_type();
}

}  // namespace mayfly::fauna
