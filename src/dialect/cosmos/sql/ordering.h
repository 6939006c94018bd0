// The orders that the indexing policy of a container allows. Source: spec cosmos.md, sections 20,
// 21.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/functions/vectors.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos::sql {

// The same query with parameters in steps of its order replaced by their values: if @p is "x",
// c[@p] becomes c["x"].
QueryPtr with_named_order(const QueryPtr& query, const Object& parameters);

// ORDER BY RANK is evaluated by a plan (plan/hybrid.h), at the end of a whole query only.
inline constexpr std::string_view rank_is_of_plans =
    "ORDER BY RANK is answered by the queries of a query plan, and stands in no subquery.";

struct OrderCheck {
  bool keeps_missing = true;  // the rows include documents without the value
};

// Fails with invalid if an item is neither a path of the document, nor a distance of vectors, nor a
// score that a plan has written for a rank.
Result<void> check_order_items(const Ordering& ordering, std::string_view text);
// Whether the item sorts descending. By default the nearest vectors are first, and otherwise the
// least values. `definition` is the definition of the container.
bool sorts_descending(const OrderItem& item, const QueryInput& input, const Object& definition);

// Fails with invalid if the policy does not allow the order.
Result<OrderCheck> check_ordering(const Container& container, const Ordering& ordering,
                                  std::string_view text);

}  // namespace mayfly::cosmos::sql
