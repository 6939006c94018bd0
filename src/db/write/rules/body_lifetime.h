// Keeps lifetime and body consistent: if the body of a document specifies its lifetime
// (body_rules.h), it specifies the actual one after every write. Private to db/.
#pragma once

#include "db/write/transaction_state.h"

namespace mayfly {

struct LifetimeInput {
  const Collection& collection;
  const OwnedHead* before;  // the document that is replaced or restored; null: the document is new
  bool begins_new_life = false;  // `before` has expired, and its lifetime with it
  bool is_specified_again =
      false;  // the body specified the lifetime that has ended, and does so again
  const LifetimeChange& change;
  Instant now;
};

// Whether the lifetime is a span, and the body's member `ttl` specifies it.
bool specifies_span(const Packed& body, const Lifetime& lifetime);

// Gives `after`, whose body is set, the lifetime that is requested, specified by the body or kept,
// and changes the member `ttl` of the body if it differs. A hold on `before` stays, and the
// lifetime is stored in it until the release. Fails with invalid if an effective `ttl` is no
// lifetime, forbidden if the policy does not let writers set the lifetime that the body specifies.
Result<void> decide_lifetime(const LifetimeInput& input, OwnedHead& after);

}  // namespace mayfly
