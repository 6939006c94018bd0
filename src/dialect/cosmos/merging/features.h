// The features that a client needs to merge the rows of a plan. A client lists its features when it
// requests a plan; those of older clients follow from their version of the API.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos {

// `supported`: a list such as "OrderBy, Top". Fails with invalid, naming the features, if the query
// needs others.
Result<void> check_features(const sql::Query& query, const QueryPlan& plan,
                            std::string_view supported);

// The features of clients of that version of the API, if it is one whose clients get plans only in
// refusals; nothing if they request plans.
std::optional<std::string_view> features_of_version(std::string_view api_version);

}  // namespace mayfly::cosmos
