// The hub's job. The head of the feeds is one instant for all collections, as Feed::settle() gives
// it. A subscriber at the head has been sent all events up to it.
#include "dialect/common/event_stream.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "db/feed/followed_events.h"
#include "db/feed/follower.h"
#include "dialect/common/limits.h"

namespace mayfly {
namespace {

constexpr std::uint32_t last_number = UINT32_MAX;  // behind every event of its commit

// What other threads have said since the hub looked.
struct News {
  std::vector<Subscription> subscriptions;
  std::vector<FeedWait> waits;
  std::vector<std::uint64_t> ready;  // subscribers whose clients have taken all there was
};

struct Subscriber;

// Subscribers at the head who are sent the same.
struct Group {
  std::shared_ptr<const RenderEvent> render;
  std::vector<CollectionId> collections;
  std::unordered_set<Subscriber*> members = {};
  std::string text = {};  // rendered and not sent yet
};

struct Subscriber {
  std::uint64_t number = 0;
  Subscription asked;
  std::vector<FeedCursor> cursors;  // while he is behind
  Group* group = nullptr;           // at the head
  bool awaits_client = false;
  Instant ends_at;
  Instant sent_at;
};

struct Waiter {
  FeedWait asked;
  Instant ends_at;
};

// A collection that is followed.
struct Source {
  std::size_t users = 0;
  std::set<Group*> groups = {};
};

}  // namespace

struct EventHub::Inbox {
  std::mutex mutex;  // guards all but the count
  News news;
  const JobHandle* job = nullptr;  // null once the hub is over
  std::atomic<std::size_t> followers = 0;

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
    for (const auto& [number, subscriber] : subscribers_) subscriber->asked.stream->end();
    for (const Waiter& waiter : waiters_) waiter.asked.stream->end();
  }

  NextRun run() {
    const bool has_more = look();
    const Instant now = monotonic_now();
    if (now >= ticked_at_ + tick()) look_at_the_time(now);
    if (has_more) return NextRun::immediately();
    if (subscribers_.empty() && waiters_.empty()) return NextRun::when_woken();
    return NextRun::after(std::max(Span{0}, ticked_at_ + tick() - now));
  }

 private:
  // Whether there is more to do at once.
  bool look();
  void admit(Subscription subscription);
  void admit(FeedWait wait);
  void follow(CollectionId collection);
  void leave(CollectionId collection);

  void tell_the_head(Instant through);
  void tell(const FollowedEvent& event, LateView& view, std::set<Group*>& written);
  void send_out(std::set<Group*>& written, FeedPosition told_before);
  bool catch_up(Subscriber& subscriber);
  void send(Subscriber& subscriber, std::string text);
  void join(Subscriber& subscriber);
  void part(Subscriber& subscriber);
  void drop(Subscriber& subscriber);
  void drop_all_of(const std::vector<CollectionId>& collections);
  void answer(const std::set<CollectionId>& woken);
  bool is_answered(Waiter& waiter, Instant now);

  Span tick() const {
    return std::min(Span::seconds(1), Span{options_.keep_alive_every.micros / 4});
  }
  void look_at_the_time(Instant now);
  void count() { inbox_->followers = subscribers_.size() + waiters_.size(); }

  Database& database_;
  const std::shared_ptr<Inbox> inbox_;
  const EventHubOptions options_;
  FeedPosition head_;           // up to this, those at the head have been sent all
  std::set<CollectionId> due_;  // may have events behind it that can be read
  Instant ticked_at_ = monotonic_now();
  std::uint64_t next_number_ = 1;
  std::map<std::uint64_t, std::unique_ptr<Subscriber>> subscribers_;
  std::set<std::uint64_t> behind_;
  std::map<std::pair<const RenderEvent*, std::vector<CollectionId>>, std::unique_ptr<Group>>
      groups_;
  std::unordered_map<CollectionId, Source> sources_;
  std::vector<Waiter> waiters_;
  Follower follower_;
};

bool EventHub::Follow::look() {
  News news = inbox_->take();
  const auto [through, due] = follower_.next();
  due_.insert(due.begin(), due.end());
  tell_the_head(through);
  for (Subscription& subscription : news.subscriptions) admit(std::move(subscription));
  for (FeedWait& wait : news.waits) admit(std::move(wait));
  for (const std::uint64_t number : news.ready) {
    const auto found = subscribers_.find(number);
    if (found != subscribers_.end()) found->second->awaits_client = false;
  }
  answer(due);
  bool has_more = follower_.has_more() || !due_.empty();
  const std::set<std::uint64_t> behind = behind_;
  for (const std::uint64_t number : behind) {
    const auto found = subscribers_.find(number);
    if (found != subscribers_.end()) has_more = catch_up(*found->second) || has_more;
  }
  count();
  return has_more;
}

// --- who comes and goes ---

void EventHub::Follow::admit(Subscription subscription) {
  auto subscriber = std::make_unique<Subscriber>();
  const Instant now = monotonic_now();
  subscriber->number = next_number_++;
  subscriber->ends_at = now + subscription.age_max;
  subscriber->sent_at = now;
  for (const auto& followed : subscription.collections) {
    subscriber->cursors.push_back({followed.collection, *followed.after});
    follow(followed.collection);
  }
  subscriber->asked = std::move(subscription);
  behind_.insert(subscriber->number);
  subscribers_.emplace(subscriber->number, std::move(subscriber));
}

// What it waits for may have come between its request and now.
void EventHub::Follow::admit(FeedWait wait) {
  follow(wait.collection);
  const Instant now = monotonic_now();
  Waiter waiter{std::move(wait), now + wait.time_max};
  if (!is_answered(waiter, now)) waiters_.push_back(std::move(waiter));
}

void EventHub::Follow::follow(CollectionId collection) {
  follower_.follow(collection);
  ++sources_[collection].users;
}

void EventHub::Follow::leave(CollectionId collection) {
  const auto found = sources_.find(collection);
  if (--found->second.users > 0) return;
  sources_.erase(found);
  follower_.leave(collection);
}

void EventHub::Follow::join(Subscriber& subscriber) {
  std::vector<CollectionId> collections;
  for (const FeedCursor& cursor : subscriber.cursors) collections.push_back(cursor.collection);
  std::sort(collections.begin(), collections.end());
  auto& group = groups_[{subscriber.asked.render.get(), collections}];
  if (group == nullptr) {
    group = std::make_unique<Group>(Group{subscriber.asked.render, collections});
    for (const CollectionId id : collections) sources_[id].groups.insert(group.get());
  }
  group->members.insert(&subscriber);
  subscriber.group = group.get();
  behind_.erase(subscriber.number);
}

// From the head to those who are behind, or out.
void EventHub::Follow::part(Subscriber& subscriber) {
  Group* group = std::exchange(subscriber.group, nullptr);
  if (group == nullptr) return;
  behind_.insert(subscriber.number);
  group->members.erase(&subscriber);
  if (!group->members.empty()) return;
  for (const CollectionId id : group->collections) sources_[id].groups.erase(group);
  groups_.erase({group->render.get(), group->collections});
}

void EventHub::Follow::drop(Subscriber& subscriber) {
  subscriber.asked.stream->end();
  part(subscriber);
  behind_.erase(subscriber.number);
  for (const FeedCursor& cursor : subscriber.cursors) leave(cursor.collection);
  subscribers_.erase(subscriber.number);
}

void EventHub::Follow::drop_all_of(const std::vector<CollectionId>& collections) {
  if (collections.empty()) return;
  std::vector<Subscriber*> leaving;
  for (const auto& [number, subscriber] : subscribers_) {
    for (const FeedCursor& cursor : subscriber->cursors) {
      if (std::find(collections.begin(), collections.end(), cursor.collection) ==
          collections.end()) {
        continue;
      }
      leaving.push_back(subscriber.get());
      break;
    }
  }
  for (Subscriber* subscriber : leaving) drop(*subscriber);
}

// --- those at the head ---

// Sends a page, so that a long backlog keeps nothing else waiting.
void EventHub::Follow::tell_the_head(Instant through) {
  std::vector<FeedCursor> cursors;
  for (const CollectionId id : due_) {
    const auto found = sources_.find(id);
    if (found != sources_.end() && !found->second.groups.empty()) cursors.push_back({id, head_});
  }
  LateView view(database_);
  std::set<Group*> written;
  const FollowedPage page =
      read_followed(database_, cursors, {through, last_number}, limits::feed_page_events_max);
  FeedPosition sent_through = head_;
  for (const FollowedEvent& event : page.events) {
    tell(event, view, written);
    head_ = event.position();
    std::size_t bytes = 0;
    for (const Group* group : written) bytes = std::max(bytes, group->text.size());
    if (bytes < limits::stream_text_bytes_max) continue;
    send_out(written, sent_through);
    sent_through = head_;
  }
  send_out(written, sent_through);
  if (page.is_whole) {
    head_ = std::max(head_, FeedPosition{through, last_number});
    due_.clear();
  }
  drop_all_of(page.gone);
}

void EventHub::Follow::tell(const FollowedEvent& followed, LateView& view,
                            std::set<Group*>& written) {
  const auto& [collection, event] = followed;
  EventImages images(view, *collection, event);
  for (Group* group : sources_[collection->id].groups) {
    const auto text = (*group->render)(*collection, event, images);
    if (!text) continue;
    group->text += *text;
    written.insert(group);
  }
}

// What has been rendered goes to all whose clients keep up; the others go on behind `told_before`.
void EventHub::Follow::send_out(std::set<Group*>& written, FeedPosition told_before) {
  for (Group* group : std::exchange(written, {})) {
    const std::string text = std::exchange(group->text, {});
    const std::vector<Subscriber*> members(group->members.begin(), group->members.end());
    for (Subscriber* subscriber : members) {
      const std::size_t unsent = subscriber->asked.stream->unsent_bytes();
      if (unsent == 0 || unsent + text.size() <= limits::stream_unsent_bytes_max / 2) {
        send(*subscriber, text);
        continue;
      }
      for (FeedCursor& cursor : subscriber->cursors) cursor.at = told_before;
      part(*subscriber);
    }
  }
}

void EventHub::Follow::send(Subscriber& subscriber, std::string text) {
  subscriber.sent_at = monotonic_now();
  if (!subscriber.asked.stream->send(std::move(text))) drop(subscriber);
}

// --- those behind ---

// Reads one page on. Whether there is more to do at once.
bool EventHub::Follow::catch_up(Subscriber& subscriber) {
  const auto& stream = subscriber.asked.stream;
  if (subscriber.awaits_client) {
    if (!stream->is_open()) drop(subscriber);
    return false;
  }
  if (stream->unsent_bytes() > 0) {
    subscriber.awaits_client = true;
    stream->when_sent([inbox = inbox_, number = subscriber.number] {
      inbox->put([number](News& news) { news.ready.push_back(number); });
    });
    return false;
  }
  const auto is_ahead = [this](const FeedCursor& cursor) { return cursor.at > head_; };
  const auto is_behind = [this](const FeedCursor& cursor) { return cursor.at < head_; };
  const std::vector<FeedCursor>& cursors = subscriber.cursors;
  // It has asked for later events than those that the head is being sent.
  if (!due_.empty() && std::any_of(cursors.begin(), cursors.end(), is_ahead)) return true;
  FollowedPage page;
  if (std::any_of(cursors.begin(), cursors.end(), is_behind)) {
    page = read_followed(database_, cursors, head_, limits::feed_page_events_max);
  }
  if (!page.gone.empty()) return drop(subscriber), false;
  std::string text;
  if (page.has_gap) text = subscriber.asked.gap_notice;
  LateView view(database_);
  for (const FollowedEvent& followed : page.events) {
    if (text.size() >= limits::stream_text_bytes_max) {
      page.is_whole = false;
      break;
    }
    EventImages images(view, *followed.collection, followed.event);
    const auto one = (*subscriber.asked.render)(*followed.collection, followed.event, images);
    if (one) text += *one;
    move_forward(subscriber.cursors, followed.position());
  }
  if (page.is_whole) join(subscriber);
  const bool has_more = !page.is_whole;
  if (!text.empty()) send(subscriber, std::move(text));
  return has_more;
}

// --- single answers ---

bool EventHub::Follow::is_answered(Waiter& waiter, Instant now) {
  const bool is_late = now >= waiter.ends_at;
  if (waiter.asked.stream->is_open()) {
    auto body = waiter.asked.answer(is_late);
    if (!body && !is_late) return false;
    if (body) waiter.asked.stream->send(*std::move(body));
    waiter.asked.stream->end();
  }
  leave(waiter.asked.collection);
  return true;
}

void EventHub::Follow::answer(const std::set<CollectionId>& woken) {
  const Instant now = monotonic_now();
  std::erase_if(waiters_, [&](Waiter& waiter) {
    return woken.contains(waiter.asked.collection) && is_answered(waiter, now);
  });
}

void EventHub::Follow::look_at_the_time(Instant now) {
  ticked_at_ = now;
  std::vector<Subscriber*> leaving;
  for (const auto& [number, subscriber] : subscribers_) {
    const auto& stream = subscriber->asked.stream;
    if (!stream->is_open() || now >= subscriber->ends_at) {
      leaving.push_back(subscriber.get());
      continue;
    }
    if (subscriber->asked.keep_alive.empty() || stream->unsent_bytes() > 0) continue;
    if (now < subscriber->sent_at + options_.keep_alive_every) continue;
    subscriber->sent_at = now;
    stream->send(subscriber->asked.keep_alive);
  }
  for (Subscriber* subscriber : leaving) drop(*subscriber);
  std::erase_if(waiters_, [&](Waiter& waiter) {
    const bool is_over = now >= waiter.ends_at || !waiter.asked.stream->is_open();
    return is_over && is_answered(waiter, now);
  });
  count();
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
  for (auto& followed : subscription.collections) {
    if (!followed.after) followed.after = FeedPosition{database_.now(), last_number};
  }
  ++inbox_->followers;
  inbox_->put([&](News& news) { news.subscriptions.push_back(std::move(subscription)); });
}

void EventHub::wait(FeedWait wait) {
  ++inbox_->followers;
  inbox_->put([&](News& news) { news.waits.push_back(std::move(wait)); });
}

std::size_t EventHub::followers() const {
  return inbox_->followers;
}

}  // namespace mayfly
