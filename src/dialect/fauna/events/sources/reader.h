// EventReader: reads the changes of a source's collection, one event after the other.
#pragma once

#include <cstddef>
#include <optional>

#include "db/feed/feed.h"
#include "dialect/common/events/source.h"
#include "dialect/fauna/events/sources/opened.h"

namespace mayfly::fauna {

// Threads: one at a time. The source must outlive it.
class EventReader {
 public:
  // Reads events after `after`, up to and including `until`.
  EventReader(const OpenedSource& opened, const EventPosition& after, Instant until);

  // nullopt when there are no more. Fails with not_found if the collection was deleted.
  Result<std::optional<Event>> next();
  // Whether events after the start were no longer kept. Valid once next() has been called.
  bool has_gap() const { return has_gap_; }

 private:
  const OpenedSource& opened_;
  const Instant until_;
  FeedPage page_;
  std::size_t taken_ = 0;
  bool has_gap_ = false;
};

}  // namespace mayfly::fauna
