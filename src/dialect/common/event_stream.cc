// The hub's job. It works in rounds, of which each has one instant for all collections: every event
// up to it can be read. A subscriber at the head has been sent all up to the last round's.
#include "dialect/common/event_stream.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "db/feed/follower.h"
#include "dialect/common/event_turn.h"

namespace mayfly {
namespace {

// What other threads have said since the hub looked.
struct News {
  std::vector<Subscription> subscriptions = {};
  std::vector<FeedWait> waits = {};
  std::vector<std::uint64_t> ready = {};  // subscribers whose clients have taken all there was
};

struct Waiter {
  FeedWait asked;
  Instant ends_at;
};

// Who wants to know of a collection.
struct Users {
  std::set<Channel*> channels = {};
  std::size_t waiters = 0;
};

}  // namespace

struct EventHub::Inbox {
  mutable std::mutex mutex;  // guards all
  News news;
  const JobHandle* job = nullptr;  // null once the hub is over
  std::size_t followers = 0;
  std::map<std::string, std::size_t> subscribers;  // by their source

  template <class Change>
  void put(const Change& change) {
    const std::lock_guard lock(mutex);
    change(news);
    if (job != nullptr) job->wake();
  }
  void wake() {
    put([](News&) {});
  }
  News take() {
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

// All that only the hub's job touches.
class EventHub::Follow {
 public:
  Follow(Database& database, std::shared_ptr<Inbox> inbox, EventHubOptions options)
      : database_(database),
        inbox_(std::move(inbox)),
        options_(options),
        follower_(database, [inbox = inbox_] { inbox->wake(); }) {}
  ~Follow() {
    while (!subscribers_.empty()) drop(subscribers_.begin()->second);
    for (const Waiter& waiter : waiters_) end(waiter);
    // Those that were not admitted any more.
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
    // By then all before this instant has been sent to those who are at the head.
    const Instant database_now = is_due ? database_.now() : Instant();
    const bool has_more = look();
    if (is_due) look_at_the_time(now, database_now);
    if (has_more) return NextRun::immediately();
    if (subscribers_.empty() && waiters_.empty()) return NextRun::when_woken();
    return NextRun::after(std::max(Span{0}, looked_at_ + options_.look_every - now));
  }

 private:
  // Whether there is more to do at once.
  bool look();
  void look_at_the_time(Instant now, Instant database_now);
  bool say_status(Subscriber& subscriber, Instant now, Instant database_now);

  void admit(Subscription subscription, const EventPosition& end);
  void drop(Subscriber& subscriber);
  void follow_collections();
  void follow_collections_of(Channel& channel);
  void leave(CollectionId collection);

  bool tell(Channel& channel, const EventPosition& end);

  void admit(FeedWait wait);
  void answer(const std::set<CollectionId>& woken);
  bool is_answered(const Waiter& waiter, Instant now);
  void end(const Waiter& waiter);
  // Where an answer throws, the others stay.
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
  EventPosition head_;  // up to this, those at the head have been sent all
  CatalogPtr catalog_;  // as follow_collections() saw it
  Instant looked_at_ = options_.monotonic();
  std::uint64_t next_number_ = 1;
  std::map<std::uint64_t, Subscriber> subscribers_;
  std::map<std::string, Channel> channels_;  // by the names of their sources
  std::set<Channel*> active_;                // those that have something to be sent
  std::map<CollectionId, Users> users_;
  std::vector<Waiter> waiters_;
  News news_;  // of this round; what has been admitted is empty
  Follower follower_;
};

// One page for each subscriber, so that one that has far to go keeps no other waiting.
bool EventHub::Follow::look() {
  news_ = inbox_->take();
  const auto [through, due] = follower_.next();
  const EventPosition end = EventPosition::behind(through);
  follow_collections();  // behind next(): what is made later has its events in the next round
  for (const CollectionId id : due) {
    for (Channel* channel : users_[id].channels) {
      channel->due.insert(id);
      active_.insert(channel);
    }
  }
  for (Subscription& subscription : news_.subscriptions) admit(std::move(subscription), end);
  for (FeedWait& wait : news_.waits) admit(std::move(wait));
  for (const std::uint64_t number : news_.ready) {
    const auto found = subscribers_.find(number);
    if (found == subscribers_.end()) continue;
    found->second.awaits_client = false;
    active_.insert(found->second.channel);
  }
  answer(due);
  for (Channel* channel : std::exchange(active_, {})) {
    if (tell(*channel, end)) active_.insert(channel);
  }
  head_ = std::max(head_, end);
  return follower_.has_more() || !active_.empty();
}

// --- who comes and goes ---

void EventHub::Follow::admit(Subscription subscription, const EventPosition& end) {
  const auto [found, is_new] =
      channels_.try_emplace(subscription.source->name(), Channel{.source = subscription.source});
  Channel& channel = found->second;
  if (is_new) follow_collections_of(channel);
  const Instant now = options_.monotonic();
  Subscriber subscriber{.number = next_number_++,
                        .asked = std::move(subscription),
                        .channel = &channel,
                        .ends_at = {},
                        .sent_at = now};
  subscriber.ends_at = now + subscriber.asked.age_max;
  // What it has asked for behind the end has not happened.
  subscriber.at = std::min(*subscriber.asked.after, end);
  // Nothing has happened between the head and the end.
  subscriber.is_at_head = channel.due.empty() && subscriber.at >= head_;
  if (!subscriber.is_at_head) active_.insert(&channel);
  const auto placed = subscribers_.emplace(subscriber.number, std::move(subscriber)).first;
  channel.members.emplace(placed->first, &placed->second);
}

void EventHub::Follow::drop(Subscriber& subscriber) {
  subscriber.asked.stream->end();
  Channel& channel = *subscriber.channel;
  const std::string name = channel.source->name();
  inbox_->count_out(name);
  channel.members.erase(subscriber.number);
  if (channel.members.empty()) {
    for (const CollectionId id : channel.collections) {
      users_[id].channels.erase(&channel);
      leave(id);
    }
    active_.erase(&channel);
    channels_.erase(name);
  }
  subscribers_.erase(subscriber.number);
}

void EventHub::Follow::follow_collections() {
  CatalogPtr catalog = database_.catalog();
  if (catalog == catalog_) return;
  catalog_ = std::move(catalog);
  for (auto& [name, channel] : channels_) follow_collections_of(channel);
}

// One that is new here may have had events already.
void EventHub::Follow::follow_collections_of(Channel& channel) {
  const std::set<CollectionId> before =
      std::exchange(channel.collections, channel.source->collections(catalog_));
  for (const CollectionId id : channel.collections) {
    if (before.contains(id)) continue;
    follower_.follow(id);
    users_[id].channels.insert(&channel);
    channel.due.insert(id);
    active_.insert(&channel);
  }
  for (const CollectionId id : before) {
    if (channel.collections.contains(id)) continue;
    channel.due.erase(id);
    users_[id].channels.erase(&channel);
    leave(id);
  }
}

void EventHub::Follow::leave(CollectionId collection) {
  const auto found = users_.find(collection);
  if (!found->second.channels.empty() || found->second.waiters > 0) return;
  follower_.leave(collection);
  users_.erase(found);
}

// --- what is sent ---

// Whether there is more to send at once.
bool EventHub::Follow::tell(Channel& channel, const EventPosition& end) {
  EventTurn turn({.head = head_, .end = end, .now = options_.monotonic()}, [this](auto number) {
    return [inbox = inbox_, number] {
      inbox->put([number](News& news) { news.ready.push_back(number); });
    };
  });
  std::vector<Subscriber*> leaving;
  bool has_more = false;
  const auto begin = channel.members.lower_bound(channel.first);
  channel.first = 0;
  const auto tell_those = [&](auto from, auto to) {
    for (; from != to; ++from) {
      Subscriber* subscriber = from->second;
      const bool was_spent = turn.is_spent();
      if (!turn.tell(*subscriber)) {
        leaving.push_back(subscriber);
      } else if (subscriber->has_more()) {
        has_more = true;
        if (was_spent && channel.first == 0) channel.first = from->first;
      }
    }
  };
  tell_those(begin, channel.members.end());
  tell_those(channel.members.begin(), begin);
  channel.due.clear();
  for (Subscriber* subscriber : leaving) drop(*subscriber);  // and the channel with the last
  return has_more;
}

void EventHub::Follow::look_at_the_time(Instant now, Instant database_now) {
  looked_at_ = now;
  std::vector<Subscriber*> leaving;
  for (auto& [number, subscriber] : subscribers_) {
    const Subscription& asked = subscriber.asked;
    const bool is_over = now >= subscriber.ends_at || database_now >= asked.until;
    if (is_over) say_farewell(asked, "");
    if (is_over || !asked.stream->is_open()) {
      leaving.push_back(&subscriber);
      continue;
    }
    if (asked.stream->unsent_bytes() > 0) continue;
    if (asked.status) {
      if (!say_status(subscriber, now, database_now)) leaving.push_back(&subscriber);
      continue;
    }
    if (asked.keep_alive.empty()) continue;
    if (now < subscriber.sent_at + options_.keep_alive_every) continue;
    subscriber.sent_at = now;
    asked.stream->send(asked.keep_alive);
  }
  for (Subscriber* subscriber : leaving) drop(*subscriber);
  answer_those(now, [now](const Waiter& waiter) {
    return now >= waiter.ends_at || !waiter.asked.stream->is_open();
  });
}

// False where the stream is over.
bool EventHub::Follow::say_status(Subscriber& subscriber, Instant now, Instant database_now) {
  const Subscription& asked = subscriber.asked;
  if (now < subscriber.sent_at + asked.status_every) return true;
  subscriber.sent_at = now;
  const auto head = std::max(head_, EventPosition::behind(database_now));
  auto text = asked.status(subscriber.is_at_head ? head : subscriber.at);
  if (text) return asked.stream->send(*std::move(text));
  say_farewell(asked, text.error().message);
  return false;
}

// --- single answers ---

// What it waits for may have come between its request and now.
void EventHub::Follow::admit(FeedWait wait) {
  follower_.follow(wait.collection);
  ++users_[wait.collection].waiters;
  const Instant now = options_.monotonic();
  Waiter waiter{std::move(wait), {}};
  waiter.ends_at = now + waiter.asked.time_max;
  if (!is_answered(waiter, now)) waiters_.push_back(std::move(waiter));
}

bool EventHub::Follow::is_answered(const Waiter& waiter, Instant now) {
  const bool is_late = now >= waiter.ends_at;
  if (waiter.asked.stream->is_open()) {
    auto body = waiter.asked.answer(is_late);
    if (!body && !is_late) return false;
    if (body) waiter.asked.stream->send(*std::move(body));
  }
  end(waiter);
  return true;
}

void EventHub::Follow::end(const Waiter& waiter) {
  waiter.asked.stream->end();
  inbox_->count_waiter_out();
  --users_[waiter.asked.collection].waiters;
  leave(waiter.asked.collection);
}

void EventHub::Follow::answer(const std::set<CollectionId>& woken) {
  answer_those(options_.monotonic(),
               [&](const Waiter& waiter) { return woken.contains(waiter.asked.collection); });
}

// --- the hub ---

EventHub::EventHub(Database& database, EventHubOptions options)
    : database_(database), options_(options), inbox_(std::make_shared<Inbox>()) {
  job_ = database.jobs().add({.name = "event streams",
                              .lane = JobLane::events,
                              .run = [this](const JobRun&) -> Result<NextRun> { return run(); },
                              .retry_max = limits::job_retry_first});
  const std::lock_guard lock(inbox_->mutex);
  inbox_->job = &job_;
}

EventHub::~EventHub() {
  {
    const std::lock_guard lock(inbox_->mutex);
    inbox_->job = nullptr;
  }
  job_.remove();
  follow_ = nullptr;
  const News late = inbox_->take();
  for (const Subscription& subscription : late.subscriptions) subscription.stream->end();
  for (const FeedWait& wait : late.waits) wait.stream->end();
}

// A run that throws, as where memory runs out, leaves nothing behind: every follower is sent away
// and comes again with its token.
NextRun EventHub::run() {
  std::unique_ptr<Follow> follow = std::move(follow_);
  if (!follow) follow = std::make_unique<Follow>(database_, inbox_, options_);
  const NextRun next = follow->run();
  follow_ = std::move(follow);
  return next;
}

void EventHub::subscribe(Subscription subscription) {
  if (!subscription.after) subscription.after = EventPosition::behind(database_.now());
  inbox_->put([&](News& news) {
    ++inbox_->followers;
    ++inbox_->subscribers[subscription.source->name()];
    news.subscriptions.push_back(std::move(subscription));
  });
}

void EventHub::wait(FeedWait wait) {
  inbox_->put([&](News& news) {
    ++inbox_->followers;
    news.waits.push_back(std::move(wait));
  });
}

void EventHub::wake() {
  inbox_->wake();
}

std::size_t EventHub::followers() const {
  const std::lock_guard lock(inbox_->mutex);
  return inbox_->followers;
}

std::size_t EventHub::subscribers_of(const std::string& source) const {
  const std::lock_guard lock(inbox_->mutex);
  const auto found = inbox_->subscribers.find(source);
  return found == inbox_->subscribers.end() ? 0 : found->second;
}

}  // namespace mayfly
