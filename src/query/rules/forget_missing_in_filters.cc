// Dialects with two-valued conditions write `x ?? false`. A filter drops a row whose condition is
// missing, as it drops one whose condition is false. So under a filter x alone is enough, and an
// index can serve the comparison in it. This also holds below And and Or, as long as neither can
// turn missing into true. It does not hold below Not, which distinguishes the two.
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

QueryPtr forget_missing_in_filters(const QueryPtr& query) {
  const QueryPtr below = with_inputs(query, forget_missing_in_filters);
  const auto* filter = below->as<Filter>();
  if (filter == nullptr) return below;
  ExprPtr condition = simplified(filter->condition);
  return condition == filter->condition ? below : make(Filter{filter->input, std::move(condition)});
}

}  // namespace mayfly::query
