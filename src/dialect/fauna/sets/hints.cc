#include "dialect/fauna/sets/hints.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t hints_max = 20;  // besides the output of log()
constexpr std::string_view hint_beginning = "performance_hint: ";

// Whether any part of the plan filters every document, or sorts them all.
struct PlanCosts {
  bool filters = false;
  bool sorts = false;
};

PlanCosts costs_of(const query::PlanTree& node) {
  PlanCosts costs{.filters = node.as<query::PlannedFilter>() != nullptr,
                  .sorts = node.as<query::PlannedSort>() != nullptr};
  if (const auto* access = node.as<query::Access>()) {
    costs.filters = access->residual != nullptr && access->served == nullptr;
  }
  for (const query::PlanTreePtr& input : query::inputs_of(node)) {
    const PlanCosts below = costs_of(*input);
    costs.filters = costs.filters || below.filters;
    costs.sorts = costs.sorts || below.sorts;
  }
  return costs;
}

void log_hint(Interpreter& run, std::string_view method, const Callable* where) {
  const auto* closure = dynamic_cast<const Closure*>(where);
  Diagnostic hint{
      Severity::performance_hint,
      fmt::format("full_set_read - Using {}() causes the full set to be read: no index serves it.",
                  method)};
  if (closure != nullptr) hint.span = closure->span();
  std::string text = closure != nullptr ? render(hint) : std::string(hint_beginning) + hint.message;
  const bool is_room = run.logs.count_of(hint_beginning) < hints_max;
  if (is_room && !run.logs.has(text)) run.logs.add(std::move(text));
}

}  // namespace

void log_hints(Interpreter& run, const FqlSet& set, const query::Plan& plan) {
  if (!run.environment().wants_hints) return;
  const PlanCosts costs = costs_of(*plan.root);
  for (const FqlSet* node = &set; node != nullptr;) {
    const auto* where = node->as<FqlSet::Where>();
    if (where != nullptr && costs.filters) log_hint(run, "where", where->predicate.get());
    const auto* ordered = node->as<FqlSet::Ordered>();
    if (ordered != nullptr && costs.sorts) {
      log_hint(run, "order", ordered->keys.empty() ? nullptr : ordered->keys.front().by.get());
    }
    const SetPtr input = input_of(*node);  // also owned by the node
    node = input.get();
  }
}

}  // namespace mayfly::fauna
