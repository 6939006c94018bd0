// OpenedSource: an event source as a request follows it: which set, and by which secret. A stream
// keeps it as long as it lasts, also beyond the dialect; so it holds all that it needs, but for
// what outlives every stream.
#pragma once

#include <memory>
#include <string>

#include "dialect/fauna/auth/authenticate.h"
#include "dialect/fauna/events/sources/token.h"
#include "dialect/fauna/ids.h"
#include "dialect/fauna/query.h"

namespace mayfly::fauna {

// Immutable, but for its ids. Threads: any.
struct OpenedSource {
  Database& database;
  Random& random;
  const PageTokens& page_tokens;
  const Principal who;
  const DatabaseId database_id;
  const RootSecret root;
  const std::string authorization;  // the header, to ask again whether the secret is still good
  mutable Ids ids = {};
  FqlEventSource source = {};
  CollectionId collection = 0;

  Surroundings surroundings() const {
    return {database, random, page_tokens, ids, who.place, database_id, who};
  }
};
using OpenedSourcePtr = std::shared_ptr<const OpenedSource>;

// The source of a token. Fails with invalid where it is none of this database, or the collection is
// gone.
Result<OpenedSourcePtr> open_source(const net::Request& request, const SharedServices& shared,
                                    const Principal& who, const std::string& token);
// Whether the secret is still good for the same, and its roles are still there.
bool is_still_let_in(const OpenedSource& opened);

}  // namespace mayfly::fauna
