// Standing subscriptions: those that the server itself has in each database, as its settings say.
// They are not stored; their places and dead letters are, in each database.
#pragma once

#include "db/database.h"
#include "delivery/subscription.h"

namespace mayfly::delivery {

// What a subscription lies in, with what has become of its messages. Fails as
// Database::ensure_collection.
Result<void> make_subscription_tables(Database& database, DatabaseId of);

// As one database has it, with an id that no other one has.
Subscription standing_in(const DatabaseInfo& database, const Subscription& standing);
// When the one with this id was first there: a database that is made later has all its events
// delivered, whatever stops meanwhile. The beginning where that can be neither read nor kept.
Instant standing_since(Database& database, const std::string& id);

}  // namespace mayfly::delivery
