// EventReader: what happened to the documents of a source's collection, one event after the other.
#pragma once

#include <cstddef>
#include <optional>

#include "db/feed/feed.h"
#include "dialect/common/events/source.h"
#include "dialect/fauna/events/sources/opened.h"

namespace mayfly::fauna {

// Threads: one at a time; the source outlives it.
class EventReader {
 public:
  // Behind `after`, up to and with `until`.
  EventReader(const OpenedSource& opened, const EventPosition& after, Instant until);

  // Nothing: there are no more. Fails with not_found where the collection is gone.
  Result<std::optional<Event>> next();
  // Events behind the beginning were no longer kept. Known once next() has been called.
  bool has_gap() const { return has_gap_; }

 private:
  const OpenedSource& opened_;
  const Instant until_;
  FeedPage page_;
  std::size_t taken_ = 0;
  bool has_gap_ = false;
};

}  // namespace mayfly::fauna
