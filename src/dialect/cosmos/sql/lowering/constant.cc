// Expressions that depend on no row.
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "expr/analyse.h"

namespace mayfly::cosmos::sql {
namespace {

bool depends_on_rows(const Scalar& scalar) {
  if (scalar.as<Name>() != nullptr || scalar.as<Subquery>() != nullptr ||
      scalar.as<OrderByFilter>() != nullptr) {
    return true;
  }
  bool depends = false;
  for_each_child(
      scalar, [&depends](const ScalarPtr& child) { depends = depends || depends_on_rows(*child); });
  return depends;
}

}  // namespace

std::optional<Value> constant_of(const ScalarPtr& scalar, const QueryInput& input, Instant now) {
  if (depends_on_rows(*scalar)) return std::nullopt;
  const Target nothing{.rows = nullptr, .now = now};
  const auto lowered = Lowering(input, nothing).scalar(scalar);
  if (!lowered) return std::nullopt;
  const ExprPtr folded = fold(*lowered);
  const auto* literal = folded->as<expr::Literal>();
  if (literal == nullptr) return std::nullopt;
  return literal->value;
}

}  // namespace mayfly::cosmos::sql
