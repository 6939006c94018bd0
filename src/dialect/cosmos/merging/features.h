// The features that a client needs to merge the rows of a plan. A client lists its features when it
// requests a plan; those of older clients follow from their version of the API.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos {

// Fails with invalid, naming them, if the query needs features that are not in `supported`:
// "OrderBy, Top".
Result<void> check_features(const sql::Query& query, const QueryPlan& plan,
                            std::string_view supported);

// The features of clients that get plans only in refusals; nothing if clients of that version
// request plans themselves.
std::optional<std::string_view> features_of_version(std::string_view api_version);

}  // namespace mayfly::cosmos
