// Functions that are composed of several rows of the library.
#include "dialect/cosmos/sql/functions/written_calls.h"

#include <string>
#include <utility>

#include "expr/analyse.h"

namespace mayfly::cosmos::sql {
namespace {

// The value of a constant expression; null if it depends on a row.
const Value* constant(const ExprPtr& e) {
  const auto* literal = e->as<expr::Literal>();
  return literal != nullptr ? &literal->value : nullptr;
}

// `yes` if the flag is true, `no` if it is false, and otherwise missing.
ExprPtr choice(const ExprPtr& flag, ExprPtr yes, ExprPtr no) {
  return expr::call(
      "when", {flag, std::move(yes), expr::call("when", {expr::negation(flag), std::move(no)})});
}

ExprList for_each_other(const NamedFunction& function, const ExprList& arguments) {
  ExprList calls;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    calls.push_back(expr::call(function.row, {arguments[0], arguments[i]}));
  }
  return calls;
}

ExprPtr language_in(const CallContext& context) {
  return expr::literal(Value(context.language));
}

ExprList for_each_phrase(const NamedFunction& function, const ExprList& arguments,
                         const CallContext& context) {
  ExprList calls;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    calls.push_back(expr::call(function.row, {arguments[0], arguments[i], language_in(context)}));
  }
  return calls;
}

std::int64_t millis(Instant t) {
  return t.micros / 1'000 - (t.micros % 1'000 < 0 ? 1 : 0);
}

}  // namespace

ExprPtr write_by_case(const NamedFunction& function, ExprList arguments, const CallContext&) {
  const ExprPtr plain = expr::call(function.row, {arguments[0], arguments[1]});
  if (arguments.size() < 3) return plain;
  const ExprPtr ignoring = expr::call(function.other, {arguments[0], arguments[1]});
  const ExprPtr& flag = arguments[2];
  const Value* known = constant(flag);
  if (known == nullptr) return choice(flag, ignoring, plain);
  if (!known->is(Kind::boolean)) return expr::literal(Value());
  return known->boolean() ? ignoring : plain;
}

ExprPtr write_for_any(const NamedFunction& function, ExprList arguments, const CallContext&) {
  return expr::any_of(for_each_other(function, arguments));
}

ExprPtr write_for_all(const NamedFunction& function, ExprList arguments, const CallContext&) {
  return expr::all_of(for_each_other(function, arguments));
}

ExprPtr write_for_any_phrase(const NamedFunction& function, ExprList arguments,
                             const CallContext& context) {
  return expr::any_of(for_each_phrase(function, arguments, context));
}

ExprPtr write_for_all_phrases(const NamedFunction& function, ExprList arguments,
                              const CallContext& context) {
  return expr::all_of(for_each_phrase(function, arguments, context));
}

ExprPtr write_phrases_score(const NamedFunction& function, ExprList arguments,
                            const CallContext& context) {
  arguments.insert(arguments.begin() + 2, language_in(context));
  return expr::call(function.row, std::move(arguments));
}

ExprPtr write_in_language(const NamedFunction& function, ExprList arguments,
                          const CallContext& context) {
  arguments.push_back(language_in(context));
  return expr::call(function.row, std::move(arguments));
}

ExprPtr write_swapped(const NamedFunction& function, ExprList arguments, const CallContext&) {
  return expr::call(function.row, {arguments[1], arguments[0]});
}

ExprPtr write_nested(const NamedFunction& function, ExprList arguments, const CallContext&) {
  return expr::call(function.other, {expr::call(function.row, std::move(arguments))});
}

// If the flag is not true or is missing, whole values are compared.
ExprPtr write_array_contains(const NamedFunction& function, ExprList arguments,
                             const CallContext&) {
  const ExprPtr whole = expr::call(function.row, {arguments[0], arguments[1]});
  if (arguments.size() < 3) return whole;
  const ExprPtr part = expr::call(function.other, {arguments[0], arguments[1]});
  const ExprPtr& flag = arguments[2];
  if (const Value* known = constant(flag)) return known->is_true() ? part : whole;
  return expr::call("when", {flag, part, whole});
}

// Uniform in [0, 1), with all bits of a double.
ExprPtr write_random(const NamedFunction& function, ExprList, const CallContext& context) {
  const auto next = [random = context.random](const Scope&, std::span<const Value>,
                                              Meter&) -> Result<Value> {
    return static_cast<double>(random->next() >> 11) * 0x1p-53;
  };
  return expr::foreign(std::string(function.name), Effect::reads, next, {});
}

ExprPtr write_current_time_text(const NamedFunction&, ExprList, const CallContext& context) {
  constexpr std::int64_t ticks_per_micro = 10;
  const ExprPtr ticks = expr::literal(context.now.micros * ticks_per_micro);
  return fold(expr::call("ticks_to_time_text", {ticks}));
}

ExprPtr write_current_millis(const NamedFunction&, ExprList, const CallContext& context) {
  return expr::literal(millis(context.now));
}

ExprPtr write_current_ticks(const NamedFunction&, ExprList, const CallContext& context) {
  constexpr std::int64_t ticks_per_milli = 10'000;
  return expr::literal(millis(context.now) * ticks_per_milli);
}

// The lower bits of a document's number, which is in its rid after the container's eight bytes. A
// rid is base64 with '-' for '/'.
ExprPtr write_document_id(const NamedFunction&, ExprList arguments, const CallContext&) {
  const ExprPtr rid = expr::call("member", {arguments[0], expr::literal("_rid")});
  const ExprPtr base64 = expr::call("replace", {rid, expr::literal("-"), expr::literal("/")});
  return expr::call("little_endian_in_base64", {base64, expr::literal(8), expr::literal(6)});
}

// The third argument requests an exact search, which is always done here.
ExprPtr write_vector_distance(const NamedFunction&, ExprList arguments, const CallContext&) {
  const ExprList vectors = {arguments[0], arguments[1]};
  const ExprPtr cosine = expr::call("vector_cosine", vectors);
  if (arguments.size() < 4) return cosine;
  const ExprPtr named = expr::call("member", {arguments[3], expr::literal("distanceFunction")});
  constexpr int name_units_max = 16;  // longer names do not exist
  const ExprPtr beginning = expr::call("left_utf16", {named, expr::literal(name_units_max)});
  const ExprPtr metric =
      fold(expr::if_missing(expr::call("lower", {beginning}), expr::literal("cosine")));
  const ExprPtr product = expr::call("vector_dot_product", vectors);
  const ExprPtr distance = expr::call("vector_distance", vectors);
  const auto is = [&](const char* name) { return expr::equal(metric, expr::literal(name)); };
  if (const Value* known = constant(metric)) {
    const std::string& name = known->text();
    if (name == "cosine") return cosine;
    if (name == "dotproduct") return product;
    return name == "euclidean" ? distance : expr::literal(Value());
  }
  const ExprPtr otherwise =
      expr::call("when", {is("dotproduct"), product, expr::call("when", {is("cosine"), cosine})});
  return expr::call("when", {is("euclidean"), distance, otherwise});
}

}  // namespace mayfly::cosmos::sql
