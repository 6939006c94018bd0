// OpenedSource: an event source that a request follows, with the secret of the request. A stream
// keeps it for as long as it lasts, which may be longer than the dialect exists. So it owns
// everything it needs, except objects that outlive every stream.
#pragma once

#include <memory>
#include <string>

#include "dialect/fauna/auth/authenticate.h"
#include "dialect/fauna/events/sources/token.h"
#include "dialect/fauna/ids.h"
#include "dialect/fauna/query.h"

namespace mayfly::fauna {

// Immutable except for its ids. Threads: any.
struct OpenedSource {
  Database& database;
  Random& random;
  const PageTokens& page_tokens;
  const Principal principal;
  const DatabaseId database_id;
  const RootSecret root;
  const std::string authorization;  // the header, to check again later that the secret is valid
  mutable Ids ids = {};
  FqlEventSource source = {};
  CollectionId collection = 0;

  QueryEnvironment environment() const {
    return {database, random, page_tokens, ids, principal.database_path, database_id, principal};
  }
};
using OpenedSourcePtr = std::shared_ptr<const OpenedSource>;

// Opens the source of a token. Fails with invalid if the token is not of this database or the
// collection was deleted.
Result<OpenedSourcePtr> open_source(const net::Request& request, const SharedServices& shared,
                                    const Principal& principal, const std::string& token);
// Whether the secret still gives the same principal, and its roles still exist.
bool is_still_authorized(const OpenedSource& opened);

}  // namespace mayfly::fauna
