// Agreement of lifetime and body: a document whose body says its lifetime (body_rules.h) says the
// same after every write. Private to db/.
#pragma once

#include "db/write/transaction_state.h"

namespace mayfly {

struct LifetimeInput {
  const Collection& collection;
  const OwnedHead* before;     // what is replaced or restored; null: the document is new
  bool begins_anew = false;    // `before` has expired, and its lifetime with it
  bool is_said_again = false;  // the body said the lifetime that has ended, and says it again
  const LifetimeChange& change;
  Instant now;
};

// Whether the lifetime is a span, and the body's member `ttl` says it.
bool says_span(const Packed& body, const Lifetime& lifetime);

// Gives `after`, whose body is set, the lifetime that it is asked for, says or keeps, and changes
// the member `ttl` of the body where it says another. A hold on `before` goes on, and the lifetime
// waits under it. Fails with invalid where a `ttl` that counts is no lifetime, forbidden where the
// policy does not let writers set the one that the body says.
Result<void> settle_lifetime(const LifetimeInput& input, OwnedHead& after);

}  // namespace mayfly
