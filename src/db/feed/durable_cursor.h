// DurableCursor: how far a follower has got whose work outlives the process, such as the matching
// of events to webhooks. It is a row of a private table, and is written in the commit that does the
// work, so that each event is processed exactly once.
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
  Result<Value> encode() const;

  // If the events need no work, the cursor is written only this often: reading them again costs
  // less than a commit for each.
  static constexpr Span written_every = Span::seconds(60);
};

}  // namespace mayfly
