// Runs one query, from its request to its response.
#pragma once

#include "dialect/dialect.h"
#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/ids.h"
#include "dialect/fauna/schema/cache.h"
#include "net/message.h"

namespace mayfly::fauna {

class RootSecret;  // auth/authenticate.h

// Shared by all requests of one server.
struct SharedServices {
  const Services& services;
  Ids& ids;
  const RootSecret& root;
  SchemaCache& schemas;
};

net::Response answer_query(const net::Request& request, const SharedServices& shared,
                           const Principal& principal);

// The environment of a query of that principal.
struct QueryEnvironment environment_of(const SharedServices& shared, const Principal& principal,
                                       DatabaseId database);

// The database at a path. A missing root database is created. Fails with unauthenticated if there
// is none.
Result<DatabaseInfoPtr> database_of(Database& database, const DatabasePath& database_path);

// If the deadline is too short for any query, waits until it has passed and fails with timed_out:
// clients expect no response before. `began` is a time of monotonic_now().
Result<void> wait_for_short_deadline(Instant began, mayfly::Span timeout);

net::Response render(const struct ProtocolError& error, const std::string& tags = {});

}  // namespace mayfly::fauna
