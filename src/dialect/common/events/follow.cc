// The hub's job. It works in rounds. Each round has one instant for all collections, up to which
// every event can be read. A subscriber at the head was sent everything up to the last round's
// instant.
#include "dialect/common/events/follow.h"

#include <algorithm>
#include <tuple>

namespace mayfly {

// Sends one page to each subscriber, so that one with a long backlog does not delay the others.
bool EventHub::Follow::look() {
  news_ = inbox_->take();
  const auto [through, due] = follower_.next();
  const EventPosition end = EventPosition::behind(through);
  follow_collections();  // after next(): the events of a later collection are in the next round
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
  for (Channel* channel : take_active()) {
    if (send_to(*channel, end)) active_.insert(channel);
  }
  head_ = std::max(head_, end);
  return follower_.has_more() || !active_.empty();
}

// --- subscribers that are added and removed ---

void EventHub::Follow::admit(Subscription subscription, const EventPosition& end) {
  const auto [found, is_new] =
      channels_.try_emplace(subscription.source->name(), Channel{.source = subscription.source});
  Channel& channel = found->second;
  if (is_new) {
    channel.served_in = round_;
    follow_collections_of(channel);
  }
  const Instant now = options_.monotonic();
  Subscriber subscriber{.number = next_number_++,
                        .asked = std::move(subscription),
                        .channel = &channel,
                        .ends_at = {},
                        .sent_at = now};
  subscriber.ends_at = now + subscriber.asked.age_max;
  // A requested position after the end is in the future.
  subscriber.at = std::min(*subscriber.asked.after, end);
  // No events lie between the head and the end.
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
      unfollow(id);
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

// A newly followed collection may have events already.
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
    unfollow(id);
  }
}

void EventHub::Follow::unfollow(CollectionId collection) {
  const auto found = users_.find(collection);
  if (!found->second.channels.empty() || found->second.waiters > 0) return;
  follower_.unfollow(collection);
  users_.erase(found);
}

// --- what is sent ---

// In the order of service: first channels that have waited for many rounds, then the quick ones, of
// these first the ones that call no functions; among equals, the one that has waited longest.
std::vector<Channel*> EventHub::Follow::take_active() {
  std::vector<Channel*> channels(active_.begin(), active_.end());
  active_.clear();
  std::ranges::sort(channels, {}, [this](const Channel* one) {
    const bool is_in_time = round_ - one->served_in < limits::stream_rounds_waited_max;
    return std::tuple(is_in_time, one->is_slow, one->source->calls_functions(), one->served_in);
  });
  ++round_;
  taken_.clear();
  return channels;
}

// Gives whether there is more to send now.
bool EventHub::Follow::send_to(Channel& channel, const EventPosition& end) {
  const std::string_view payer = channel.source->payer();
  EventTurn::Round round{.head = head_, .end = end, .now = options_.monotonic()};
  Span* const taken = payer.empty() ? nullptr : &taken_[std::string(payer)];
  if (taken != nullptr) {
    round.time_max = std::max(Span{0}, Span{limits::stream_payer_turn_max.micros - taken->micros});
  }
  EventTurn turn(round, [this](auto number) {
    return [inbox = inbox_, number] {
      inbox->put([number](EventNews& news) { news.ready.push_back(number); });
    };
  });
  if (!turn.is_spent()) channel.served_in = round_;
  std::vector<Subscriber*> leaving;
  bool has_more = false;
  const auto begin = channel.members.lower_bound(channel.first);
  channel.first = 0;
  const auto send_to_those = [&](auto from, auto to) {
    for (; from != to; ++from) {
      Subscriber* subscriber = from->second;
      const bool was_spent = turn.is_spent();
      if (!turn.send_next(*subscriber)) {
        leaving.push_back(subscriber);
      } else if (subscriber->has_more()) {
        has_more = true;
        if (was_spent && channel.first == 0) channel.first = from->first;
      }
    }
  };
  send_to_those(begin, channel.members.end());
  send_to_those(channel.members.begin(), begin);
  channel.due.clear();
  if (taken != nullptr && channel.served_in == round_) {
    taken->micros += turn.taken().micros;
    channel.is_slow = turn.taken() >= limits::stream_quick_turn_max;
  }
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
  answer_those(now, [now](const FeedWaiter& waiter) {
    return now >= waiter.ends_at || !waiter.asked.stream->is_open();
  });
}

// False if the stream has ended.
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

// The event that it waits for may have happened between the request and now.
void EventHub::Follow::admit(FeedWait wait) {
  follower_.follow(wait.collection);
  ++users_[wait.collection].waiters;
  const Instant now = options_.monotonic();
  FeedWaiter waiter{std::move(wait), {}};
  waiter.ends_at = now + waiter.asked.time_max;
  if (!is_answered(waiter, now)) waiters_.push_back(std::move(waiter));
}

bool EventHub::Follow::is_answered(const FeedWaiter& waiter, Instant now) {
  const bool is_late = now >= waiter.ends_at;
  if (waiter.asked.stream->is_open()) {
    auto body = waiter.asked.answer(is_late);
    if (!body && !is_late) return false;
    if (body) waiter.asked.stream->send(*std::move(body));
  }
  end(waiter);
  return true;
}

void EventHub::Follow::end(const FeedWaiter& waiter) {
  waiter.asked.stream->end();
  inbox_->count_waiter_out();
  --users_[waiter.asked.collection].waiters;
  unfollow(waiter.asked.collection);
}

void EventHub::Follow::answer(const std::set<CollectionId>& woken) {
  answer_those(options_.monotonic(),
               [&](const FeedWaiter& waiter) { return woken.contains(waiter.asked.collection); });
}

}  // namespace mayfly
