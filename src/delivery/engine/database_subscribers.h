// DatabaseSubscribers: the running subscriptions of one database; it reads the database's events
// for them. Private to the engine.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/feed/followed_events.h"
#include "db/jobs/jobs.h"
#include "delivery/engine/subscriber.h"
#include "delivery/engine/subscription_matcher.h"

namespace mayfly::delivery {

using Formats = std::map<std::string, Format, std::less<>>;

bool keeps_feed(const CollectionPtr& collection);  // false for null

// Counts the bytes of all windows. A message that several windows share counts once; what each
// needs beside it, its place, counts for each. Threads: those of one job.
class WindowBytes {
 public:
  // Counts the message until nothing refers to it any more.
  MessagePtr hold(Message message) const {
    auto one = std::make_unique<const Message>(std::move(message));
    const std::size_t bytes =
        sizeof(Message) + one->payload.size() + one->document.size() + one->id.size();
    *held_ += bytes;
    return {one.release(), [held = held_, bytes](const Message* over) {
              *held -= bytes;
              delete over;
            }};
  }
  // The same message for one window, with its place.
  MessagePtr place(const MessagePtr& message) const {
    *held_ += limits::window_place_bytes;
    return {message.get(),
            [held = held_, message](const Message*) { *held -= limits::window_place_bytes; }};
  }
  // Whether the window may take another message. A window that holds little always may.
  bool admits(const Window& window) const {
    const std::size_t left =
        limits::windows_bytes_max - std::min(*held_, limits::windows_bytes_max);
    const bool is_small = window.bytes() < limits::window_bytes_min;
    return window.has_room() && (is_small || window.bytes() <= left);
  }

 private:
  std::shared_ptr<std::size_t> held_ = std::make_shared<std::size_t>(0);
};

// Threads: those of one job.
class DatabaseSubscribers {
 public:
  // `standing`: the subscriptions that it has in addition to the stored ones.
  // `origin`: of the ids of messages.
  DatabaseSubscribers(Database& database, DatabaseInfoPtr info, std::vector<Subscription> standing,
                      std::string origin)
      : database_(database),
        info_(std::move(info)),
        standing_(std::move(standing)),
        origin_(std::move(origin)) {}

  const DatabaseInfo& database_info() const { return *info_; }
  std::map<std::string, std::unique_ptr<Subscriber>>& all() {
    return subscribers_;
  }  // by subscription id

  // Reads the subscriptions, and which dead letters are to be sent again. If a subscription has
  // changed, a new subscriber replaces its old one, at the same position. `epochs` counts
  // subscribers.
  Result<void> read(std::uint64_t& epochs);
  // The collections that keep a feed; none if there are no subscriptions.
  std::set<CollectionId> update_collections(const Catalog& catalog);
  // Notes that these collections may have events that subscribers at the head have not read.
  void add_due(const std::set<CollectionId>& collections);

  // Reads one page, up to `through`, for groups of subscribers that have the same position and
  // room: for the one that is ahead, and for others in turn until the time is over. Gives whether
  // there is more to read now.
  Result<bool> read_events(Instant through, const Formats& formats, const WindowBytes& bytes);

  // Stores what the subscribers have done since the last call, if anything. Fails as a transaction
  // does, and with stale if another server has taken the lease.
  Result<void> write(const JobRun& job);
  bool has_unsaved() const;
  // No subscriber needs events up to this instant any more, even after a crash. never(): there are
  // no subscribers.
  Instant stored_through() const;

 private:
  struct Group;
  struct StoredSubscription {
    Subscription subscription;
    SubscriptionProgress progress;
    bool is_new = true;  // a new subscriber is made for it
  };
  Result<std::vector<StoredSubscription>> read_rows(View& view) const;
  Result<void> read_letters(View& view, Subscriber& subscriber, const WindowBytes& bytes) const;
  Result<void> apply_log(View& view, Subscriber& subscriber) const;
  Result<std::optional<LogRow>> find_log_row(View& view, const Subscriber& subscriber,
                                             const std::string& message) const;
  struct Page : FollowedPage {
    FeedPosition upto = {};  // all events up to here are in the page or do not concern the group
  };
  // A message that is about to be added to the window of a subscriber.
  struct RoutedMessage {
    Subscriber* subscriber;
    MessagePtr message;
    bool is_needed = true;
    std::int64_t attempts = 0;
    Instant next = Instant::beginning();
    Instant asked_at = Instant::beginning();
  };
  Page read_page(const Group& group, Instant through) const;
  Page read_after(const Group& group, FeedPosition at, Instant through) const;
  Result<void> route_all(Group& group, const Page& page);
  Result<void> check_log(RoutedMessage& one, LazyView& view) const;
  Result<void> read_group(Group& group, Instant through);
  Result<void> route(Group& group, const FollowedEvent& followed, std::span<const Event> commit,
                     LazyView& view);
  void log_lost(const FollowedEvent& followed, const Error& error) const;
  bool is_given_up(const FeedPosition& unreadable);
  Result<void> write_progress(Transaction& transaction, Subscriber& subscriber,
                              const SubscriptionProgress& progress) const;
  Result<std::vector<LogRow>> write_log(Transaction& transaction, Subscriber& subscriber) const;

  Database& database_;
  const DatabaseInfoPtr info_;
  const std::vector<Subscription> standing_;
  const std::string origin_;
  std::map<std::string, std::unique_ptr<Subscriber>> subscribers_;
  std::vector<Subscriber*> active_;  // not paused; in the order of `matcher_`
  std::unique_ptr<SubscriptionMatcher> matcher_;
  std::set<CollectionId> collections_;
  std::set<CollectionId> due_;
  // An event that could not be read.
  struct UnreadableEvent {
    std::size_t tries = 0;
    std::uint64_t last = 0;  // number of the run that tried last
  };
  std::map<FeedPosition, UnreadableEvent> unreadable_;
  std::uint64_t runs_ = 0;  // calls of read_events()
  FeedPosition next_;       // of the groups that have fallen behind, this position is read next
  FeedPosition head_;       // subscribers at this position have read all events up to it
};

}  // namespace mayfly::delivery
