// Which orders the indexing policy of a container allows. Source: spec cosmos.md, sections 20, 21.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos::sql {

struct OrderCheck {
  bool keeps_missing = true;  // documents that lack the value are among the rows
};

// Fails with invalid where the policy allows no such order.
Result<OrderCheck> check_ordering(const Container& container, const Ordering& ordering,
                                  std::string_view text);

}  // namespace mayfly::cosmos::sql
