// One query: from a request to its answer.
#pragma once

#include "dialect/dialect.h"
#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/ids.h"
#include "dialect/fauna/schema/cache.h"
#include "net/message.h"

namespace mayfly::fauna {

class RootSecret;  // auth/authenticate.h

// What the requests of one server share.
struct SharedServices {
  const Services& services;
  Ids& ids;
  const RootSecret& root;
  KnownSchemas& known;
};

net::Response answer_query(const net::Request& request, const SharedServices& shared,
                           const Principal& who);

// What a query of that principal runs with.
struct Surroundings surroundings_of(const SharedServices& shared, const Principal& who,
                                    DatabaseId database);

// The database of a place; of the root it is made where it is missing. Fails with unauthenticated
// where there is none.
Result<DatabaseInfoPtr> database_of(Database& database, const Place& place);

// Fails with timed_out, once it has passed, where a deadline is so short that nothing is tried:
// clients count on no answer before. `began`: on the scale of monotonic_now().
Result<void> wait_for_short_deadline(Instant began, mayfly::Span timeout);

net::Response render(const struct ProtocolError& error, const std::string& tags = {});

}  // namespace mayfly::fauna
