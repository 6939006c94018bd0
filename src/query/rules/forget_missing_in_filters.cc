// Dialects whose conditions are two-valued write `x ?? false`. A filter drops rows whose condition
// is missing just as those whose condition is false, so the bare x does under a filter, and an
// index sees the comparison in it. That holds below And and Or as well, where neither can turn
// missing into true; but not below Not, which tells them apart.
#include "expr/analyse.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

ExprPtr simplified(const ExprPtr& e) {
  if (e->as<expr::And>() || e->as<expr::Or>()) return with_operands(e, simplified);
  const auto* fallback = e->as<expr::IfMissing>();
  if (fallback == nullptr) return e;
  const auto* literal = fallback->otherwise->as<expr::Literal>();
  return literal && literal->value.is(Kind::boolean) && !literal->value.boolean()
             ? simplified(fallback->first)
             : e;
}

}  // namespace

QueryPtr forget_missing_in_filters(const QueryPtr& query, const Planning& planning) {
  const QueryPtr below = with_inputs(
      query, [&](const QueryPtr& input) { return forget_missing_in_filters(input, planning); });
  const auto* filter = below->as<Filter>();
  if (filter == nullptr) return below;
  ExprPtr condition = simplified(filter->condition);
  return condition == filter->condition ? below : make(Filter{filter->input, std::move(condition)});
}

}  // namespace mayfly::query
