#include "dialect/common/events/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "db/feed/followed_events.h"
#include "dialect/common/limits.h"

namespace mayfly {
namespace {

constexpr std::uint32_t last_number = UINT32_MAX;  // after every event of its commit

FeedPosition feed_position(const EventPosition& position) {
  const auto number = std::min<std::uint64_t>(position.part, last_number);
  return {position.committed_at, static_cast<std::uint32_t>(number)};
}

class FeedSource final : public EventSource {
 public:
  FeedSource(Database& database, std::set<CollectionId> collections,
             std::shared_ptr<const RenderEvent> render)
      : database_(database),
        collections_(std::move(collections)),
        render_(std::move(render)),
        name_(fmt::format("feeds {} {}", fmt::join(collections_, " "), fmt::ptr(render_.get()))) {}

  const std::string& name() const override { return name_; }
  std::set<CollectionId> collections(const CatalogPtr&) override { return collections_; }

  Result<EventPage> read(const EventPosition& after, Instant through,
                         const std::set<CollectionId>* only) override {
    std::vector<FeedCursor> cursors;
    for (const CollectionId id : only == nullptr ? collections_ : *only) {
      cursors.push_back({id, feed_position(after)});
    }
    const FollowedPage found =
        read_followed(database_, cursors, {through, last_number}, limits::feed_page_events_max);
    if (!found.gone.empty()) return fail(Code::not_found, "a collection has no feed any more");
    EventPage page{.upto = EventPosition::behind(through), .has_gap = found.has_gap};
    if (!found.is_whole) page.upto = event_position(found.events.back().position());
    LazyView view(database_);
    for (const FollowedEvent& followed : found.events) {
      EventImages images(view, *followed.collection, followed.event);
      auto text = (*render_)(*followed.collection, followed.event, images);
      if (text) page.pieces.push_back({event_position(followed.position()), *std::move(text)});
    }
    return page;
  }

 private:
  Database& database_;
  const std::set<CollectionId> collections_;
  const std::shared_ptr<const RenderEvent> render_;
  const std::string name_;
};

}  // namespace

EventPosition event_position(const FeedPosition& position) {
  if (position.number == last_number) return EventPosition::behind(position.committed_at);
  return {position.committed_at, position.number};
}

std::shared_ptr<EventSource> feed_source(Database& database, std::set<CollectionId> collections,
                                         std::shared_ptr<const RenderEvent> render) {
  return std::make_shared<FeedSource>(database, std::move(collections), std::move(render));
}

}  // namespace mayfly
