#include "query/wanted.h"

#include <algorithm>

#include "expr/analyse.h"
#include "query/access.h"

namespace mayfly::query {
namespace {

std::optional<Field> body_field(const Expr& e) {
  const auto* field = e.as<expr::FieldOf>();
  const bool is_it = field != nullptr && field->slot == 0 && field->field.part == Part::body;
  return is_it ? std::optional(field->field) : std::nullopt;
}

// Behind the field at most the instant of creation, which ends an index of cut values.
std::optional<Field> first_of(const Sort& sort) {
  if (sort.keys.empty() || sort.keys.size() > 2) return std::nullopt;
  if (sort.keys.size() == 2) {
    const auto* second = sort.keys[1].value->as<expr::FieldOf>();
    if (second == nullptr || !(second->field == Field::metadata("created_at"))) return std::nullopt;
  }
  return body_field(*sort.keys[0].value);
}

class Wanting {
 public:
  void look(const Query& query) {
    if (const auto* filter = query.as<Filter>()) look_at(*filter);
    if (const auto* sort = query.as<Sort>(); sort != nullptr && !wanted_.order) {
      wanted_.order = first_of(*sort);
    }
    if (const auto* distinct = query.as<Distinct>()) look_at(*distinct);
    const std::vector<QueryPtr> inputs = inputs_of(query);
    if (inputs.size() == 1) look(*inputs[0]);
  }

  WantedFields take() {
    if (compared_.size() == 1) wanted_.filter = compared_.front();
    return std::move(wanted_);
  }

 private:
  void look_at(const Filter& filter) {
    for (const ExprPtr& part : conjuncts(filter.condition)) {
      const ExprPtr bare = without_fallback(part);
      const auto condition = condition_of(bare);
      if (!condition || condition->expression || condition->field.part != Part::body) continue;
      if (std::ranges::find(compared_, condition->field) != compared_.end()) continue;
      compared_.push_back(condition->field);
    }
  }

  void look_at(const Distinct& distinct) {
    if (const auto* project = distinct.input->as<Project>()) {
      wanted_.order = body_field(*project->value);
    }
  }

  // Of `x ?? false`, which a filter takes as x.
  static ExprPtr without_fallback(const ExprPtr& e) {
    const auto* fallback = e->as<expr::IfMissing>();
    return fallback == nullptr ? e : fallback->first;
  }

  WantedFields wanted_;
  std::vector<Field> compared_;
};

}  // namespace

WantedFields wanted_fields(const Query& asked) {
  Wanting wanting;
  wanting.look(asked);
  return wanting.take();
}

}  // namespace mayfly::query
