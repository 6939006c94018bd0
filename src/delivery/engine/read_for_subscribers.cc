// Reads events and adds their messages to the windows of the subscribers that need them.
#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/service/logging.h"
#include "db/rows/keys.h"
#include "delivery/engine/database_subscribers.h"

namespace mayfly::delivery {
namespace {

constexpr FeedPosition end_of(Instant commit) {
  return {commit, UINT32_MAX};
}

// Whether events after the position are no longer kept. A collection that was created later had
// none.
bool has_gap(const Catalog& catalog, const HeldFeeds& held,
             const std::set<CollectionId>& collections, const FeedPosition& at, Instant now) {
  return std::ranges::any_of(collections, [&](CollectionId id) {
    const CollectionPtr collection = catalog.collection(id);
    return collection &&
           held.floor(*collection, now) > std::max(at.committed_at, collection->created_at);
  });
}

// The database whose events are read, and the origin of their messages.
struct EventSource {
  const DatabaseInfo& database;
  const std::string& origin;
};

Message empty_message(const EventSource& source, const FollowedEvent& followed) {
  Message message{.id = message_id(source.origin, followed.collection->id, followed.event),
                  .position = followed.position(),
                  .database = source.database.name,
                  .collection = followed.collection->name};
  put_u32(message.document, followed.collection->id);
  message.document += keys::encode(followed.event.key);
  return message;
}

// Whether it fits as a message and as a text in a stored row, where quotes and backslashes are
// escaped.
bool fits(std::string_view payload) {
  const auto escaped = std::ranges::count_if(payload, [](char c) { return c == '"' || c == '\\'; });
  return payload.size() <= limits::message_bytes_max &&
         payload.size() + static_cast<std::size_t>(escaped) + limits::letter_other_bytes_max <=
             limits::document_bytes_max;
}

Result<Message> message_of(const EventSource& source, const FollowedEvent& followed,
                           const Format& format, EventImages* images) {
  const CollectionPtr& collection = followed.collection;
  const Event& event = followed.event;
  Message message = empty_message(source, followed);
  message.event = format.event_name(event.kind);
  std::string payload;
  TRY(format.render({message, collection, event, images, {}}, payload));
  if (!fits(payload)) {
    payload.clear();
    TRY(format.render({message, collection, event, nullptr, {}}, payload));
  }
  message.payload = std::move(payload);
  return message;
}

// All have the position of the last event of the commit. Gives none if this event is not the last.
// `images`: as in MessageParts. `recipients` receive the messages.
Result<std::vector<Message>> messages_of(const EventSource& source, const FollowedEvent& followed,
                                         std::span<const Event> commit, const Format& format,
                                         EventImages* images, std::size_t recipients) {
  if (!format.render_commit) {
    std::vector<Message> one;
    one.push_back(TRY(message_of(source, followed, format, images)));
    return one;
  }
  std::vector<Message> all;
  if (commit.back().number != followed.event.number) return all;
  const Message empty = empty_message(source, followed);
  const MessageParts parts{empty, followed.collection, followed.event, images, commit};
  std::vector<Rendered> made = TRY(format.render_commit(parts));
  std::size_t bytes = 0;
  for (const Rendered& one : made) bytes += one.payload.size() * recipients;
  const bool is_large = made.size() > 1 && bytes > limits::window_bytes_max;
  if (is_large || !std::ranges::all_of(made, fits, &Rendered::payload)) {
    MessageParts without = parts;
    without.images = nullptr;
    made = TRY(format.render_commit(without));
  }
  for (Rendered& one : made) {
    Message& message = all.emplace_back(empty);
    if (all.size() > 1) message.id += "-" + std::to_string(all.size());
    message.document.clear();
    put_u32(message.document, followed.collection->id);
    if (one.document) message.document += keys::encode(*one.document);
    message.event = std::move(one.event);
    message.payload = std::move(one.payload);
  }
  return all;
}

FeedPosition beginning_of_commit(const FeedPosition& at) {
  const bool is_whole = at.number == UINT32_MAX || at.committed_at == Instant::beginning();
  return is_whole ? at : end_of(at.committed_at - Span{1});
}

using SubscribersByPosition = std::map<FeedPosition, std::vector<std::size_t>>;

// The order in which groups are read: first the one that is ahead of all others, so that groups
// that have fallen behind, however many, do not delay it; then these in turn, beginning at `next`.
std::vector<SubscribersByPosition::const_iterator> turns_of(const SubscribersByPosition& groups,
                                                            const FeedPosition& next) {
  std::vector<SubscribersByPosition::const_iterator> turns;
  if (groups.empty()) return turns;
  const auto first = std::prev(groups.end());
  turns.push_back(first);
  auto at = groups.lower_bound(next);
  for (std::size_t n = 0; n < groups.size(); ++n, ++at) {
    if (at == groups.end()) at = groups.begin();
    if (at != first) turns.push_back(at);
  }
  return turns;
}

// The events of each commit of a page, by commit and collection.
using Commits = std::map<std::pair<Instant, CollectionId>, std::vector<Event>>;
Commits commits_of(const FollowedPage& page) {
  Commits commits;
  for (const FollowedEvent& one : page.events) {
    commits[{one.event.committed_at, one.collection->id}].push_back(one.event);
  }
  return commits;
}

}  // namespace

// Subscribers that have the same position and read on together.
struct DatabaseSubscribers::Group {
  const Formats& formats;
  const WindowBytes& bytes;
  FeedPosition at = {};  // after the last event that was read
  bool is_at_head = false;
  bool has_commits = false;                       // a format needs whole commits
  SubscriptionMatcher::Selection selection = {};  // the subscribers, by index
  Instant until;                            // by monotonic_now(): then other databases are served
  std::set<Subscriber*> subscribers = {};   // which still have room
  std::set<CollectionId> collections = {};  // only these have events that they have not read
  bool has_unevaluated = false;             // subscribers that stay behind for their filters

  // The subscriber stops before the event that is being routed.
  void leave_behind(std::size_t number, Subscriber* subscriber, const FollowedEvent& before) {
    subscriber->window().set_read(at);
    subscriber->record_unread(before.event.committed_at);
    subscribers.erase(subscriber);
    selection[number] = false;
  }
};

Result<bool> DatabaseSubscribers::read_events(Instant through, const Formats& formats,
                                              const WindowBytes& bytes) {
  SubscribersByPosition by_position;
  for (std::size_t number = 0; number < active_.size(); ++number) {
    Subscriber* subscriber = active_[number];
    if (subscriber->has_letters_left && subscriber->window().has_room()) {
      View view = database_.view();
      TRY(read_letters(view, *subscriber, bytes));
    }
    const FeedPosition at = subscriber->window().read();
    const bool may_read = !subscriber->waits_for_room() && bytes.admits(subscriber->window()) &&
                          at < end_of(through) &&
                          formats.contains(subscriber->subscription().format);
    if (may_read) by_position[at].push_back(number);
  }
  if (!by_position.empty()) {
    unreadable_.erase(unreadable_.begin(), unreadable_.lower_bound(by_position.begin()->first));
  }
  bool has_more = false;
  Result<void> done;
  ++runs_;
  if (matcher_) matcher_->begin_run();
  const Instant until = monotonic_now() + limits::delivery_slice_max;
  const Span half{limits::delivery_slice_max.micros / 2};
  bool is_head_read = !by_position.contains(head_);
  const auto turns = turns_of(by_position, next_);
  for (std::size_t n = 0; n < turns.size(); ++n) {
    const auto& [at, numbers] = *turns[n];
    if (n > 0) next_ = at;
    const Instant begin = monotonic_now();
    if (n > 1 && begin >= until) {
      has_more = true;
      break;
    }
    // The first of the others has as much time as the one ahead of them.
    const Instant end = n == 0 && turns.size() > 1 ? begin + half : std::max(until, begin + half);
    Group group{
        .formats = formats, .bytes = bytes, .at = at, .is_at_head = at == head_, .until = end};
    is_head_read = is_head_read || group.is_at_head;
    group.selection.resize(active_.size());
    for (const std::size_t number : numbers) {
      group.subscribers.insert(active_[number]);
      group.selection[number] = true;
    }
    group.collections = group.is_at_head ? due_ : collections_;
    auto one = read_group(group, through);
    if (!one && done) done = std::move(one);
    has_more = has_more || group.has_unevaluated;
    has_more = has_more || std::ranges::any_of(group.subscribers, [&](Subscriber* subscriber) {
                 return subscriber->window().read() < end_of(through);
               });
  }
  TRY(done);
  if (!is_head_read) return has_more;
  head_ = end_of(through);
  due_.clear();
  return has_more;
}

// If a format needs whole commits, the page starts at the beginning of the commit in which the
// group's position lies, and ends with a whole commit.
DatabaseSubscribers::Page DatabaseSubscribers::read_page(const Group& group,
                                                         Instant through) const {
  if (!group.has_commits) return read_after(group, group.at, through);
  Page page = read_after(group, beginning_of_commit(group.at), through);
  if (page.is_whole || page.events.empty()) return page;
  const Instant last = page.events.back().event.committed_at;
  const bool has_others = std::ranges::any_of(page.events, [&](const FollowedEvent& one) {
    return one.position() > group.at && one.event.committed_at < last;
  });
  if (has_others) {
    std::erase_if(page.events,
                  [&](const FollowedEvent& one) { return one.event.committed_at == last; });
    page.upto = end_of(last - Span{1});
    return page;
  }
  for (bool is_whole = false; !is_whole;) {
    Page more = read_after(group, page.events.back().position(), last);
    is_whole = more.is_whole || more.events.empty();
    std::ranges::move(more.events, std::back_inserter(page.events));
  }
  page.upto = end_of(last);
  return page;
}

DatabaseSubscribers::Page DatabaseSubscribers::read_after(const Group& group, FeedPosition at,
                                                          Instant through) const {
  std::vector<FeedCursor> cursors;
  for (const CollectionId id : group.collections) cursors.push_back({id, at});
  Page page{read_followed(database_, cursors, end_of(through), limits::delivery_page_events_max,
                          FeedScope::held)};
  page.upto = page.is_whole         ? end_of(through)
              : page.events.empty() ? at
                                    : page.events.back().position();
  return page;
}

// If it fails, the events that were read before are not read again.
Result<void> DatabaseSubscribers::read_group(Group& group, Instant through) {
  matcher_->begin_turn();
  group.has_commits = std::ranges::any_of(group.subscribers, [&](const Subscriber* subscriber) {
    return bool(group.formats.find(subscriber->subscription().format)->second.render_commit);
  });
  const Page page = read_page(group, through);
  const CatalogPtr catalog = database_.catalog();
  for (const CollectionId id : page.gone) {
    if (keeps_feed(catalog->collection(id))) return fail(Code::internal, "a feed cannot be read");
  }
  // Subscribers at the head have read all events until now, even if nothing has happened for long.
  if (page.has_gap && !group.is_at_head &&
      has_gap(*catalog, *database_.feed().holds().current(), group.collections, group.at,
              through)) {
    std::ranges::for_each(group.subscribers, &Subscriber::record_gap);
  }
  const Result<void> done = route_all(group, page);
  const auto next = std::ranges::find_if(
      page.events, [&](const FollowedEvent& one) { return one.position() > group.at; });
  for (Subscriber* subscriber : group.subscribers) {
    subscriber->window().set_read(group.at);
    const Instant beyond = page.is_whole ? Instant::never() : page.upto.committed_at;
    subscriber->record_unread(next == page.events.end() ? beyond : next->event.committed_at);
  }
  return done;
}

Result<void> DatabaseSubscribers::route_all(Group& group, const Page& page) {
  LazyView view(database_);
  const Commits commits = group.has_commits ? commits_of(page) : Commits();
  for (const FollowedEvent& followed : page.events) {
    if (followed.position() <= group.at) continue;
    const auto commit = commits.find({followed.event.committed_at, followed.collection->id});
    const auto events = commit == commits.end() ? std::span<const Event>() : commit->second;
    TRY(route(group, followed, events, view));
    group.at = followed.position();
    if (group.subscribers.empty() || monotonic_now() >= group.until) return {};
  }
  group.at = std::max(group.at, page.upto);
  return {};
}

// Adds the event's messages to the windows of the group's subscribers that need it. Subscribers
// without room stop before the event, and so do those whose filter was not evaluated in time: slow
// filters hold up no other subscription.
Result<void> DatabaseSubscribers::route(Group& group, const FollowedEvent& followed,
                                        std::span<const Event> commit, LazyView& view) {
  EventImages images(view, *followed.collection, followed.event);
  std::map<std::string_view, std::vector<std::pair<const Subscription*, Subscriber*>>> recipients;
  const auto found =
      matcher_->find(*followed.collection, followed.event, images, group.selection, group.until);
  for (const std::size_t number : matcher_->take_disabled()) {
    active_[number]->record_error("its filter takes too long and is asked no more",
                                  database_.now());
  }
  for (const std::size_t number : found.unknown) {
    group.leave_behind(number, active_[number], followed);
    group.has_unevaluated = true;
  }
  for (const std::size_t number : found.concerned) {
    Subscriber* subscriber = active_[number];
    const Subscription* one = &subscriber->subscription();
    if (!subscriber->needs(followed.position())) continue;
    if (group.bytes.admits(subscriber->window())) {
      recipients[one->format].emplace_back(one, subscriber);
      continue;
    }
    subscriber->wait_for_room();
    group.leave_behind(number, subscriber, followed);
  }
  std::vector<RoutedMessage> routed;
  for (const auto& [name, those] : recipients) {
    const Format& format = group.formats.find(name)->second;
    const EventSource source{*info_, origin_};
    auto messages = messages_of(source, followed, commit, format, &images, those.size());
    if (!messages && !is_given_up(followed.position())) return tl::unexpected(messages.error());
    if (!messages) messages = messages_of(source, followed, commit, format, nullptr, those.size());
    if (!messages) {
      log_lost(followed, messages.error());
      for (const auto& [one, subscriber] : those) subscriber->record_gap();
      continue;
    }
    for (Message& made : *messages) {
      const MessagePtr message = group.bytes.hold(std::move(made));
      for (const auto& [one, subscriber] : those) {
        const bool is_needed = one->names.empty() || one->names.contains(message->event);
        if (is_needed) routed.push_back({subscriber, group.bytes.place(message)});
      }
    }
  }
  if (images.has_failed() && !is_given_up(followed.position())) {
    return fail(Code::internal, "an event's document cannot be read");
  }
  for (const std::size_t number : found.unreadable) {
    if (active_[number]->needs(followed.position())) active_[number]->record_gap();
  }
  for (RoutedMessage& one : routed) TRY(check_log(one, view));
  for (RoutedMessage& one : routed) {
    if (!one.is_needed) continue;
    one.subscriber->window().add(std::move(one.message), one.attempts, one.next, one.asked_at);
  }
  if (!images.has_failed()) unreadable_.erase(followed.position());
  return {};
}

void DatabaseSubscribers::log_lost(const FollowedEvent& followed, const Error& error) const {
  log(LogLevel::error, "an event cannot be read and is not sent",
      {{"database", info_->name},
       {"collection", followed.collection->name},
       {"error", error.message}});
}

// Looks up the message in the log: one that was delivered, failed or cancelled is not sent again.
Result<void> DatabaseSubscribers::check_log(RoutedMessage& one, LazyView& view) const {
  const Subscriber& subscriber = *one.subscriber;
  if (!subscriber.subscription().is_logged) return {};
  const std::string& id = one.message->id;
  one.is_needed = !subscriber.window().has_dead_letter(id) && !subscriber.new_log().contains(id);
  if (!one.is_needed) return {};
  const auto known = TRY(find_log_row(view.get(), subscriber, id));
  if (!known) return {};
  one.is_needed = known->status == LogRow::Status::pending;
  one.attempts = known->attempts;
  one.next = known->next_at;
  one.asked_at = known->asked_at;
  return {};
}

// Whether to give up an event that cannot be read. It is read again first, because a filter may
// match it. An event that stays unreadable is damaged, and must not block others.
bool DatabaseSubscribers::is_given_up(const FeedPosition& unreadable) {
  UnreadableEvent& known = unreadable_[unreadable];
  if (std::exchange(known.last, runs_) != runs_) ++known.tries;
  return known.tries > limits::event_read_tries_max;
}

}  // namespace mayfly::delivery
