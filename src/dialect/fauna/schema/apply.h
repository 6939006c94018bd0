// Makes Mayfly's collections and databases what the schema's documents say. A query that changes
// the schema writes documents only, in its one commit; what follows from them is done right after
// it, or, where the server has stopped between, by the next query of that database. So a schema is
// either as before or as after. What reads its documents waits for this a moment, then goes on:
// the documents are the truth, and an index that is not there yet is not used.
#pragma once

#include "base/result.h"
#include "db/database.h"

namespace mayfly::fauna {

// The instant of the last change of a database's schema; beginning() where there was none.
Result<Instant> schema_version(View& view, DatabaseId database);

// Whether all that follows from that version has been done.
bool is_applied(const Catalog& catalog, DatabaseId database, Instant version);

// Does it. Threads: any; fails with contended where another one of that database does not end
// within the time.
Result<void> apply_schema(Database& database, DatabaseId of,
                          mayfly::Span wait = mayfly::Span::seconds(60));
// The same where it has been done and another API has dropped some of it since.
Result<void> apply_schema_again(Database& database, DatabaseId of, mayfly::Span wait);

// Does it where it has not been done. What cannot be done now is left to the next request.
Result<void> ensure_schema_applied(Database& database, DatabaseId of);
// Does it after a commit that has changed the schema: what fails is logged.
void apply_committed_schema(Database& database, DatabaseId of);

// The internal collection of the documents that FQL itself defines; made where it is missing.
Result<CollectionPtr> ensure_system_table(Database& database, DatabaseId of);

}  // namespace mayfly::fauna
