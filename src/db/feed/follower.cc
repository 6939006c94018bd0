#include "db/feed/follower.h"

#include <utility>

#include "db/database.h"
#include "db/rows/records.h"

namespace mayfly {

Follower::Follower(Database& database, std::function<void()> wake)
    : database_(database), wake_(std::move(wake)) {}

void Follower::follow(CollectionId collection) {
  std::unique_ptr<FeedWatch>& watch = watches_[collection];
  if (watch) return;
  watch = database_.feed().watch(collection, [this, collection] { mark_due(collection); });
  // Commits before the watch began have woken nothing.
  const std::lock_guard lock(inbox_.mutex);
  inbox_.woken.insert(collection);
}

void Follower::unfollow(CollectionId collection) {
  watches_.erase(collection);
}

void Follower::follow_only(const std::set<CollectionId>& collections) {
  std::erase_if(watches_, [&](const auto& watch) { return !collections.contains(watch.first); });
  for (const CollectionId collection : collections) follow(collection);
}

void Follower::mark_due(CollectionId collection) {
  {
    const std::lock_guard lock(inbox_.mutex);
    inbox_.woken.insert(collection);
    if (inbox_.is_read) return;
  }
  wake_();
}

Follower::Round Follower::next() {
  {
    const std::lock_guard lock(inbox_.mutex);
    due_.merge(inbox_.woken);
    inbox_.woken.clear();
    inbox_.is_read = true;
  }
  Round round{.through = database_.feed().flush()};
  {
    const std::lock_guard lock(inbox_.mutex);
    inbox_.is_read = false;
    due_.insert(inbox_.woken.begin(), inbox_.woken.end());
    // It may have been woken by a commit after `through`.
    const Instant last = records::to_instant(database_.store().applied());
    if (last <= round.through) inbox_.woken.clear();
  }
  round.due = std::exchange(due_, {});
  std::erase_if(round.due, [this](CollectionId id) { return !watches_.contains(id); });
  return round;
}

bool Follower::has_more() const {
  const std::lock_guard lock(inbox_.mutex);
  return !inbox_.woken.empty();
}

}  // namespace mayfly
