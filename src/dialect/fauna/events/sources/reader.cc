#include "dialect/fauna/events/sources/reader.h"

#include <algorithm>

#include "dialect/common/events/source.h"
#include "dialect/common/limits.h"

namespace mayfly::fauna {
namespace {

FeedPosition feed_position_of(const EventPosition& at) {
  return {at.committed_at,
          static_cast<std::uint32_t>(std::min<std::uint64_t>(at.part, UINT32_MAX))};
}

}  // namespace

EventReader::EventReader(const OpenedSource& opened, const EventPosition& after, Instant until)
    : opened_(opened),
      until_(until),
      page_{.events = {}, .last = feed_position_of(after), .has_more = true} {}

Result<std::optional<Event>> EventReader::next() {
  if (taken_ == page_.events.size()) {
    if (!page_.has_more) return std::nullopt;
    const CollectionPtr collection = opened_.database.catalog()->collection(opened_.collection);
    if (!collection) return fail(Code::not_found, "The collection of the event source is gone.");
    const bool is_first = page_.events.empty();
    page_ = TRY(opened_.database.feed().read(*collection, page_.last, limits::feed_page_events_max,
                                             until_));
    if (is_first) has_gap_ = page_.has_gap;
    taken_ = 0;
    if (page_.events.empty()) return std::nullopt;
  }
  return page_.events[taken_++];
}

}  // namespace mayfly::fauna
