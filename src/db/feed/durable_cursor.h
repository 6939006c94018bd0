// DurableCursor: how far a follower has come whose work outlasts the process, such as the matching
// of events to webhooks. It is a row of a private table, and is written in the commit that does the
// work, so that each event is worked on just once.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/result.h"
#include "db/rows/document.h"

namespace mayfly {

struct DurableCursor {
  Instant after;         // all commits up to this have been worked on
  std::size_t done = 0;  // and so many items behind it, in the follower's own order

  static Result<DurableCursor> decode(const Document& document);
  Result<Value> encode() const;

  // Where nothing comes of the events, the cursor is written only so often: to read them once more
  // costs less than a commit for each.
  static constexpr Span written_every = Span::seconds(60);
};

}  // namespace mayfly
