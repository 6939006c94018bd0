#include "query/planning/indexable_fields.h"

#include <algorithm>

#include "expr/analyse.h"
#include "expr/function.h"
#include "query/planning/access.h"

namespace mayfly::query {
namespace {

std::optional<Field> body_field(const Expr& e) {
  const auto* field = e.as<expr::FieldOf>();
  const bool is_it = field != nullptr && field->slot == 0 && field->field.part == Part::body;
  return is_it ? std::optional(field->field) : std::nullopt;
}

// The first sort key. Only the instant of creation may follow it, because an index of truncated
// values ends with it.
std::optional<Field> first_of(const Sort& sort) {
  if (sort.keys.empty() || sort.keys.size() > 2) return std::nullopt;
  if (sort.keys.size() == 2) {
    const auto* second = sort.keys[1].value->as<expr::FieldOf>();
    if (second == nullptr || !(second->field == Field::metadata("created_at"))) return std::nullopt;
  }
  return body_field(*sort.keys[0].value);
}

class FieldCollector {
 public:
  // From the documents upwards. Nodes above a Project or a Group do not see documents.
  void visit(const Query& query) {
    const std::vector<QueryPtr> inputs = inputs_of(query);
    if (inputs.size() == 1) visit(*inputs[0]);
    if (const auto* scan = query.as<Scan>()) begin(*scan);
    if (const auto* project = query.as<Project>()) {
      projected_ = is_of_documents_ ? body_field(*sole_member(project->value)) : std::nullopt;
      is_of_documents_ = false;
    }
    if (query.as<Group>()) is_of_documents_ = false;
    if (query.as<Distinct>() && inputs[0]->as<Project>() && projected_) order_ = projected_;
    if (!is_of_documents_) return;
    if (const auto* filter = query.as<Filter>()) add_conditions_of(*filter);
    if (const auto* sort = query.as<Sort>(); sort != nullptr && !order_) order_ = first_of(*sort);
  }

  IndexableFields take() const {
    IndexableFields fields;
    if (!is_pinned_) fields.order = order_;
    if (compared_.size() == 1) fields.filter = compared_.front();
    fields.has_other_conditions = std::ranges::any_of(
        parts_, [this](const ExprPtr& part) { return !requires_order_only(*part); });
    return fields;
  }

 private:
  void begin(const Scan& scan) {
    is_of_documents_ = true;
    is_pinned_ = scan.routing && !scan.routing->empty();
  }

  void add_conditions_of(const Filter& filter) {
    for (const ExprPtr& part : conjuncts(filter.condition)) {
      parts_.push_back(without_fallback(part));
      const auto condition = condition_of(parts_.back());
      if (!condition || condition->expression || condition->field.part != Part::body) continue;
      if (std::ranges::find(compared_, condition->field) != compared_.end()) continue;
      compared_.push_back(condition->field);
    }
  }

  bool requires_order_only(const Expr& part) const {
    const auto* call = part.as<expr::FunctionCall>();
    return call != nullptr && call->function->name == "exists" && order_ &&
           body_field(*call->arguments.front()) == order_;
  }

  // x, for `x ?? false`: a filter treats both alike.
  static ExprPtr without_fallback(const ExprPtr& e) {
    const auto* fallback = e->as<expr::IfMissing>();
    return fallback == nullptr ? e : fallback->first;
  }

  bool is_of_documents_ = false;
  bool is_pinned_ = false;
  std::optional<Field> order_;
  std::optional<Field> projected_;
  std::vector<Field> compared_;
  ExprList parts_;  // of all filters
};

}  // namespace

const ExprPtr& sole_member(const ExprPtr& value) {
  const auto* call = value->as<expr::FunctionCall>();
  const bool is_object = call != nullptr && call->function->name == "object" &&
                         call->arguments.size() == 2 &&
                         call->arguments[0]->as<expr::Literal>() != nullptr;
  return is_object ? call->arguments[1] : value;
}

IndexableFields indexable_fields(const Query& query) {
  FieldCollector collector;
  collector.visit(query);
  return collector.take();
}

}  // namespace mayfly::query
