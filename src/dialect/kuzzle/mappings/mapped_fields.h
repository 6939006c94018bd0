// Documents are held to the mapping of their collection, as Elasticsearch does.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// Fails with invalid where the mapping of a collection that was made here refuses a body: a strict
// one, for a field that it does not name; any, for a value that does not fit the type of its field.
Result<void> check_against_mapping(const Call& call, const Collection& collection,
                                   const std::string& id, const Value& body);

}  // namespace mayfly::kuzzle
