// Ids of new records. Clients name a record by its id alone, so an id tells which collection to
// search first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "db/catalog/catalog.h"

namespace mayfly::centrali {

// A version 4 UUID. Its first 32 bits are the collection's number, mixed with the random rest so
// that ids of one collection do not look alike; 90 bits stay random.
std::string new_record_id(Random& random, CollectionId collection);
// The collection that the id was made for. For an id that a client chose, the result is any number
// or nothing. So it is only a hint where to search first.
std::optional<CollectionId> collection_hint(std::string_view id);

}  // namespace mayfly::centrali
