// The origin: a random text that the ids of messages begin with. Without it, two data directories
// whose virtual clocks started at the same instant would give different events the same ids, and
// receivers would drop the second as a repetition.
#pragma once

#include <string>

#include "base/random.h"
#include "db/database.h"

namespace mayfly::delivery {

// Makes the origin, unless it exists. Called before the first subscription is made. Data that had
// subscriptions before there were origins keeps ids without one, so that repetitions are still
// recognised. Fails as a transaction does.
Result<void> ensure_origin(Database& database, Random& random);
// Empty if there is none. Fails with contended while it is being made, and as a read does.
Result<std::string> read_origin(Database& database);

}  // namespace mayfly::delivery
