#include "db/feed/holds.h"

#include <algorithm>

#include "db/limits.h"

namespace mayfly {
namespace {

// After this instant all feeds of the database have all events, even without holds.
Instant retained_by_all(const Catalog& catalog, DatabaseId database, Instant now) {
  Instant latest = Instant::beginning();
  for (const CollectionPtr& collection : catalog.collections(database)) {
    const Retention& feed = collection->policy.feed;
    if (feed.span != Span{0}) latest = std::max(latest, feed.floor(now));
  }
  return latest;
}

}  // namespace

Instant HeldFeeds::floor(const Collection& collection, Instant now) const {
  const Retention& feed = collection.policy.feed;
  const Instant retained = feed.floor(now);
  const auto position = places.find(collection.database);
  if (position == places.end() && !holds_others) return retained;
  const Instant held = position == places.end() ? Instant::beginning() : position->second;
  const Instant longest = std::max(now - limits::feed_held_max, Instant::beginning());
  return std::min(retained, std::max({held, longest, feed.since}));
}

FeedHolds::FeedHolds(bool holds_all)
    : current_(std::make_shared<HeldFeeds>(HeldFeeds{.holds_others = holds_all})) {}

std::shared_ptr<const HeldFeeds> FeedHolds::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void FeedHolds::set(std::map<DatabaseId, Instant> places, bool holds_others, const Catalog& catalog,
                    Instant now) {
  const std::lock_guard lock(mutex_);
  for (auto& [database, position] : places) {
    const auto before = current_->places.find(database);
    const bool was_held = before != current_->places.end();
    if (!was_held && current_->holds_others) continue;
    // Events after it still exist: the policy keeps them, or they were held.
    const Instant retained = retained_by_all(catalog, database, now);
    position = std::max(position, was_held ? std::min(before->second, retained) : retained);
  }
  current_ = std::make_shared<HeldFeeds>(HeldFeeds{std::move(places), holds_others});
}

void FeedHolds::begin(DatabaseId database, Instant now) {
  const std::lock_guard lock(mutex_);
  if (current_->holds_others || current_->places.contains(database)) return;
  auto more = std::make_shared<HeldFeeds>(*current_);
  more->places.emplace(database, now);
  current_ = std::move(more);
}

}  // namespace mayfly
