#include "db/feed/followed_events.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/service/logging.h"

namespace mayfly {
namespace {

Result<FeedPage> read(Database& database, const CollectionPtr& collection, FeedPosition after,
                      Instant until, std::size_t events_max, FeedScope scope) {
  if (!collection) return fail(Code::not_found, "the collection is gone");
  return database.feed().read(*collection, after, events_max, until, scope);
}

}  // namespace

FollowedPage read_followed(Database& database, const std::vector<FeedCursor>& cursors,
                           FeedPosition until, std::size_t events_max, FeedScope scope) {
  FollowedPage all;
  // Events after the end of an incomplete page may have to come before those of other pages.
  std::optional<FeedPosition> known_through;
  const CatalogPtr catalog = database.catalog();
  for (const FeedCursor& cursor : cursors) {
    const CollectionPtr collection = catalog->collection(cursor.collection);
    auto page = read(database, collection, cursor.at, until.committed_at, events_max, scope);
    if (!page) {
      if (page.error().code != Code::not_found && page.error().code != Code::unsupported) {
        log(LogLevel::error, "a feed could not be read", {{"error", page.error().message}});
      }
      all.gone.push_back(cursor.collection);
      continue;
    }
    if (page->has_more) {
      known_through = std::min(known_through.value_or(page->last), page->last);
    }
    all.has_gap = all.has_gap || page->has_gap;
    for (Event& event : page->events) all.events.push_back({collection, std::move(event)});
  }
  all.is_whole = !known_through || *known_through >= until;
  std::erase_if(all.events, [&](const FollowedEvent& e) { return e.position() > until; });
  if (cursors.size() == 1) return all;
  std::sort(
      all.events.begin(), all.events.end(),
      [](const FollowedEvent& a, const FollowedEvent& b) { return a.position() < b.position(); });
  if (known_through) {
    std::erase_if(all.events,
                  [&](const FollowedEvent& e) { return e.position() > *known_through; });
  }
  return all;
}

}  // namespace mayfly
