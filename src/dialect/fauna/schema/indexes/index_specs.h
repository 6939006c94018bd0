// The indexes that the database keeps for a collection of the schema.
#pragma once

#include <vector>

#include "db/database.h"
#include "dialect/fauna/schema/definition.h"

namespace mayfly::fauna {

// The index of its ids, its indexes and its unique constraints, except those with the status
// failed.
std::vector<IndexSpec> core_indexes(const CollectionDefinition& definition);
IndexSpec core_index(const UniqueDefinition& unique);

}  // namespace mayfly::fauna
