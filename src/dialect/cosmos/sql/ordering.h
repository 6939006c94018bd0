// Which orders the indexing policy of a container allows. Source: spec cosmos.md, sections 20, 21.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/functions/vectors.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos::sql {

// The same query, with the names that parameters give to steps of its order: of @p = "x", c[@p] is
// c["x"] there.
QueryPtr with_named_order(const QueryPtr& query, const Object& parameters);

// ORDER BY RANK is what a plan is made of (plan/hybrid.h), at the end of a whole query only.
inline constexpr std::string_view rank_is_of_plans =
    "ORDER BY RANK is answered by the queries of a query plan, and stands in no subquery.";

struct OrderCheck {
  bool keeps_missing = true;  // documents that lack the value are among the rows
};

// Fails with invalid where an item is neither a path of the document nor a distance of vectors nor
// what a plan makes of a rank.
Result<void> check_order_items(const Ordering& ordering, std::string_view text);
// As it says; where it does not, the nearest vectors come first, and of all else the least. `told`
// is the definition of the container.
bool sorts_descending(const OrderItem& item, const Asked& asked, const Object& told);

// Fails with invalid where the policy allows no such order.
Result<OrderCheck> check_ordering(const Container& container, const Ordering& ordering,
                                  std::string_view text);

}  // namespace mayfly::cosmos::sql
