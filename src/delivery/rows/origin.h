// The origin: a random text that the ids of messages begin with. Without it, two data directories
// whose virtual clocks started at the same instant would give different events the same ids, and
// receivers would drop the second as a repetition.
#pragma once

#include <string>

#include "base/random.h"
#include "db/database.h"

namespace mayfly::delivery {

// Whether messages of this database may have been sent before origins existed. Such a database
// keeps ids without one, so that repetitions are still recognised.
bool has_ids_without_origin(const Catalog& catalog);
// The origin of the database, which is stored at the first call; empty if it keeps none. Fails as a
// transaction does.
Result<std::string> read_origin(Database& database, Random& random, bool without_origin);

}  // namespace mayfly::delivery
