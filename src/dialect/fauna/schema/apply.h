// Applies a schema: makes Mayfly's collections and databases match the schema's documents. A query
// that changes the schema only writes documents, in its one commit. The schema is applied right
// after the commit, or, if the server stopped in between, by the next query of that database. So a
// schema changes atomically. Queries wait for this briefly, then continue: the documents are
// authoritative, and an index that does not exist yet is not used.
#pragma once

#include "base/result.h"
#include "db/database.h"

namespace mayfly::fauna {

// The instant of the last change of a database's schema; beginning() if there was none.
Result<Instant> schema_version(View& view, DatabaseId database);

// Whether that version has been applied completely.
bool is_applied(const Catalog& catalog, DatabaseId database, Instant version);

// Applies the schema. Threads: any; one at a time applies a schema of a database, and databases may
// share a lock. Fails with contended if another thread holds it for longer than `wait`.
Result<void> apply_schema(Database& database, DatabaseId of,
                          mayfly::Span wait = mayfly::Span::seconds(60));
// The same if the schema was applied before and another API has dropped a part since.
Result<void> reapply_schema(Database& database, DatabaseId of, mayfly::Span wait);

// Applies the schema if it has not been applied. What cannot be done now is left to the next
// request.
Result<void> ensure_schema_applied(Database& database, DatabaseId of);
// Applies the schema after a commit that has changed it; failures are logged.
void apply_committed_schema(Database& database, DatabaseId of);

// The internal collection of system documents; created if it is missing.
Result<CollectionPtr> ensure_system_table(Database& database, DatabaseId of);

}  // namespace mayfly::fauna
