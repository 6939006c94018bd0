// Checks documents against the mapping of their collection, as Elasticsearch does.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Fails with invalid if the mapping of a collection created here refuses the body. A strict mapping
// refuses a field that it does not name; any mapping refuses a value that does not fit its field's
// type.
Result<void> check_against_mapping(const KuzzleCall& call, const Collection& collection,
                                   const std::string& id, const Value& body);

}  // namespace mayfly::kuzzle
