// The parts of the hub of stream.h: its inbox, which other threads write to, and the state that
// only its job uses. Private to the hub.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/feed/follower.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/events/turn.h"

namespace mayfly {

// What other threads have added since the hub's last run.
struct EventNews {
  std::vector<Subscription> subscriptions = {};
  std::vector<FeedWait> waits = {};
  std::vector<std::uint64_t> ready = {};  // subscribers whose clients have read everything sent so
                                          // far
};

struct FeedWaiter {
  FeedWait asked;
  Instant ends_at;
};

// The users of a collection's feed.
struct FeedUsers {
  std::set<Channel*> channels = {};
  std::size_t waiters = 0;
};

struct EventHub::Inbox {
  mutable std::mutex mutex;  // guards all members
  EventNews news;
  const JobHandle* job = nullptr;  // null once the hub is destroyed
  std::size_t followers = 0;
  std::map<std::string, std::size_t> subscribers;  // by source

  template <class Change>
  void put(const Change& change) {
    const std::lock_guard lock(mutex);
    change(news);
    if (job != nullptr) job->wake();
  }
  void wake() {
    put([](EventNews&) {});
  }
  EventNews take() {
    const std::lock_guard lock(mutex);
    return std::exchange(news, {});
  }
  void count_out(const std::string& source) {
    const std::lock_guard lock(mutex);
    --followers;
    const auto found = subscribers.find(source);
    if (--found->second == 0) subscribers.erase(found);
  }
  void count_waiter_out() {
    const std::lock_guard lock(mutex);
    --followers;
  }
};

// The state that only the hub's job uses.
class EventHub::Follow {
 public:
  Follow(Database& database, std::shared_ptr<Inbox> inbox, EventHubOptions options)
      : database_(database),
        inbox_(std::move(inbox)),
        options_(options),
        follower_(database, [inbox = inbox_] { inbox->wake(); }) {}
  ~Follow() {
    while (!subscribers_.empty()) drop(subscribers_.begin()->second);
    for (const FeedWaiter& waiter : waiters_) end(waiter);
    // Ends the streams that were not admitted yet.
    for (const Subscription& one : news_.subscriptions) {
      if (!one.stream) continue;
      one.stream->end();
      inbox_->count_out(one.source->name());
    }
    for (const FeedWait& one : news_.waits) {
      if (!one.stream) continue;
      one.stream->end();
      inbox_->count_waiter_out();
    }
  }

  NextRun run() {
    const Instant now = options_.monotonic();
    const bool is_due = now >= looked_at_ + options_.look_every;
    // By then everything before this instant was sent to the subscribers at the head.
    const Instant database_now = is_due ? database_.now() : Instant();
    const bool has_more = look();
    if (is_due) look_at_the_time(now, database_now);
    if (has_more) return NextRun::immediately();
    if (subscribers_.empty() && waiters_.empty()) return NextRun::when_woken();
    return NextRun::after(std::max(Span{0}, looked_at_ + options_.look_every - now));
  }

 private:
  // Gives whether there is more to do now.
  bool look();
  void look_at_the_time(Instant now, Instant database_now);
  bool say_status(Subscriber& subscriber, Instant now, Instant database_now);

  void admit(Subscription subscription, const EventPosition& end);
  void drop(Subscriber& subscriber);
  void follow_collections();
  void follow_collections_of(Channel& channel);
  void unfollow(CollectionId collection);

  std::vector<Channel*> take_active();
  bool send_to(Channel& channel, const EventPosition& end);

  void admit(FeedWait wait);
  void answer(const std::set<CollectionId>& woken);
  bool is_answered(const FeedWaiter& waiter, Instant now);
  void end(const FeedWaiter& waiter);
  // If an answer throws, the other waiters stay.
  template <class Asked>
  void answer_those(Instant now, const Asked& is_asked) {
    for (std::size_t i = 0; i < waiters_.size();) {
      if (is_asked(waiters_[i]) && is_answered(waiters_[i], now)) {
        std::swap(waiters_[i], waiters_.back());
        waiters_.pop_back();
      } else {
        ++i;
      }
    }
  }

  Database& database_;
  const std::shared_ptr<Inbox> inbox_;
  const EventHubOptions options_;
  EventPosition head_;  // subscribers at the head were sent everything up to this
  CatalogPtr catalog_;  // as follow_collections() saw it
  Instant looked_at_ = options_.monotonic();
  std::uint64_t next_number_ = 1;
  std::map<std::uint64_t, Subscriber> subscribers_;
  std::map<std::string, Channel> channels_;  // by the name of the source
  std::set<Channel*> active_;                // channels with something to send
  std::map<CollectionId, FeedUsers> users_;
  std::vector<FeedWaiter> waiters_;
  std::uint64_t round_ = 0;
  std::map<std::string, Span> taken_;  // time used in this round, by payer
  EventNews news_;                     // of this round; admitted entries are empty
  Follower follower_;
};

}  // namespace mayfly
