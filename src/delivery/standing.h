// Standing subscriptions: those that the server has in each database, as its settings say. They are
// not stored; their positions and dead letters are stored in each database.
#pragma once

#include "base/random.h"
#include "db/database.h"
#include "delivery/subscription.h"

namespace mayfly::delivery {

// Creates the tables of subscriptions, positions and dead letters. Fails as
// Database::ensure_collection does.
Result<void> ensure_subscription_tables(Database& database, DatabaseId of);
// The same before a client's subscription is made, with the origin of messages (rows/origin.h).
Result<void> begin_subscriptions(Database& database, DatabaseId of, Random& random);

// The standing subscription as one database has it, with a unique id.
Subscription standing_in(const DatabaseInfo& database, const Subscription& standing);
// When the standing subscription with this id first existed. All events of a database that is
// created later are delivered, even across restarts. Instant::beginning() if it can be neither read
// nor stored.
Instant standing_since(Database& database, const std::string& id);

}  // namespace mayfly::delivery
