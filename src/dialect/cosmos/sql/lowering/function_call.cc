// Calls of functions and aggregates.
#include <fmt/format.h>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/functions/full_text.h"
#include "dialect/cosmos/sql/functions/names.h"
#include "dialect/cosmos/sql/functions/vectors.h"
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos::sql {
namespace {

std::string capitals(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::string wrong_count(const NamedFunction& function) {
  const std::string least = std::to_string(function.arguments_min);
  const std::string counts = function.arguments_max == any_number ? "at least " + least
                             : function.arguments_max == function.arguments_min
                                 ? least
                                 : fmt::format("{} to {}", least, function.arguments_max);
  return fmt::format("The {} function requires {} argument(s).", function.name, counts);
}

}  // namespace

bool holds_aggregate(const Scalar& scalar) {
  if (const auto* call = scalar.as<ScalarCall>(); call != nullptr && !call->is_user_defined) {
    const NamedFunction* function = find_name(call->name);
    if (function != nullptr && function->is_aggregate) return true;
  }
  bool holds = false;
  for_each_child(scalar,
                 [&holds](const ScalarPtr& child) { holds = holds || holds_aggregate(*child); });
  return holds;
}

// Whether it contains a subquery, which is not allowed in an aggregate.
bool holds_subquery(const Scalar& scalar) {
  if (scalar.as<Subquery>() != nullptr) return true;
  bool holds = false;
  for_each_child(scalar,
                 [&holds](const ScalarPtr& child) { holds = holds || holds_subquery(*child); });
  return holds;
}

Result<ExprPtr> Lowering::call(const ScalarCall& call, TextRange range) {
  if (call.is_user_defined) return user_call(call, range);
  if (is_of_rank(call)) {
    return refuse("SC2240",
                  fmt::format("The {} function is only allowed in the ORDER BY RANK clause.",
                              capitals(call.name)),
                  call.name_range);
  }
  const NamedFunction* function = find_name(call.name);
  if (function == nullptr) {
    return refuse(
        "SC2005",
        fmt::format("'{}' is not a recognized built-in function name.", capitals(call.name)),
        call.name_range);
  }
  const std::size_t count = call.arguments.size();
  if (count < function->arguments_min || count > function->arguments_max) {
    return refuse("SC2050", wrong_count(*function), range);
  }
  if (function->is_aggregate) return aggregate(call, range);
  CallContext context{target_.now, target_.random};
  if (!context.random) {
    context.random = std::make_shared<Random>(static_cast<std::uint64_t>(target_.now.micros));
  }
  if (is_full_text_call(call)) context.language = TRY(full_text_language(call, range));
  ExprList arguments = TRY(all(call.arguments));
  for (const ExprPtr& argument : arguments) {
    if (function->write != nullptr) TRY(check_copied(argument, range));
  }
  if (is_vector_call(call) && count < function->arguments_max) {
    arguments.resize(function->arguments_max - 1, expr::literal(Value()));
    arguments.push_back(expr::literal(
        Object{{"distanceFunction", vector_metric(call, asked_, container_definition())}}));
  }
  ExprPtr lowered = call_of(*function, std::move(arguments), context);
  if (function->write != nullptr) TRY(check_copied(lowered, range));
  return lowered;
}

// Any language, if the query is lowered only to find its errors.
Result<std::string> Lowering::full_text_language(const ScalarCall& call, TextRange range) const {
  if (target_.container == nullptr) return std::string("english");
  const ScalarPtr& path = call.arguments.front();
  if (auto language = language_of(path, container_definition())) return *std::move(language);
  return refuse(
      "SC2242",
      fmt::format("The path {} is not in the fullTextPolicy of the container.", print(*path)),
      range);
}

// The name alone identifies the function, because it belongs to the container.
Result<ExprPtr> Lowering::user_call(const ScalarCall& call, TextRange range) {
  if (++user_calls_ > limits::sql_user_functions_max) {
    return refuse("SC2011",
                  fmt::format("The query holds more than {} references to user defined functions.",
                              limits::sql_user_functions_max),
                  range);
  }
  std::optional<UserFunction> function;
  if (target_.user_functions) function = TRY(target_.user_functions(call.name));
  if (!function) {
    return refuse("SC2005",
                  fmt::format("'{}' is not a recognized user defined function.", call.name),
                  call.name_range);
  }
  return expr::foreign("udf." + call.name, Effect::reads, std::move(function->call),
                       TRY(all(call.arguments)), std::move(function->source));
}

// Adds the aggregate to the group, and returns its field.
Result<ExprPtr> Lowering::aggregate(const ScalarCall& call, TextRange range) {
  const Scalar& argument = *call.arguments.front();
  if (is_in_aggregate_ || holds_aggregate(argument) || holds_subquery(argument)) {
    return refuse(
        "SC2101",
        "Cannot perform an aggregate function on an expression containing an aggregate or a "
        "subquery.",
        range);
  }
  if (grouping_ == nullptr || grouping_->level != level_) {
    return refuse("SC2103",
                  fmt::format("The {} function is an aggregate; it stands in the select list.",
                              capitals(call.name)),
                  range);
  }
  Grouping* grouping = std::exchange(grouping_, grouping_->outer);
  is_in_aggregate_ = true;
  auto value = scalar(call.arguments.front());
  is_in_aggregate_ = false;
  grouping_ = grouping;
  std::vector<query::NamedAggregate>& aggregates = grouping->clauses->aggregates;
  std::string name = fmt::format("a{}", aggregates.size());
  ExprPtr field = expr::field(Field::body(name), grouping->clauses->group_slot);
  ExprPtr of = TRY(std::move(value));
  aggregates.push_back({std::move(name), &aggregate_of(*find_name(call.name)), std::move(of)});
  return field;
}

}  // namespace mayfly::cosmos::sql
