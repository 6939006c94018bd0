// DurableCursor: a row of a private table in which earlier versions stored how far they had matched
// events to webhooks. It is only read: the subscriptions that replace the webhooks' own delivery
// (delivery/) continue from there.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/result.h"
#include "db/rows/document.h"

namespace mayfly {

struct DurableCursor {
  Instant after;         // all commits up to this have been processed
  std::size_t done = 0;  // and this many items after it, in the follower's own order

  static Result<DurableCursor> decode(const Document& document);

  // How often a subscription's position is stored if its events need no work: to read them again
  // costs less than a commit for each.
  static constexpr Span written_every = Span::seconds(60);
};

}  // namespace mayfly
