// What a client must know how to do to put together the rows of a plan. It says what it knows with
// its request for one; a client of old is known by its version of the API.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos {

// Fails with invalid, naming them, where the query needs features that are not among these:
// "OrderBy, Top".
Result<void> check_features(const sql::Query& query, const QueryPlan& plan,
                            std::string_view supported);

// Those of clients that know plans only from refusals; nothing where clients of that version ask
// for plans themselves.
std::optional<std::string_view> features_of_version(std::string_view api_version);

}  // namespace mayfly::cosmos
