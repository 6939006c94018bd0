// The indexes that the database keeps for a collection of the schema.
#pragma once

#include <vector>

#include "db/database.h"
#include "dialect/fauna/schema/definition.h"

namespace mayfly::fauna {

// Those of its ids, its indexes and its unique constraints, but for those whose status is failed.
std::vector<IndexSpec> core_indexes(const CollectionDefinition& definition);
IndexSpec core_index(const UniqueDefinition& unique);

}  // namespace mayfly::fauna
