// Turns the events of feeds into notifications. All events of one commit about one document are one
// step.
#include <algorithm>
#include <optional>
#include <utility>

#include "dialect/common/limits.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/realtime/delivery/delivery.h"
#include "dialect/kuzzle/realtime/state.h"

namespace mayfly::kuzzle::realtime {

// The events of one commit about one document.
struct Pump::Step {
  const Event* first = nullptr;
  const Event* last = nullptr;

  bool leaves_document() const {
    return last->kind == Event::Kind::created || last->kind == Event::Kind::replaced ||
           last->kind == Event::Kind::restored;
  }
  bool is_removal() const { return last->kind == Event::Kind::removed; }
  bool is_expiry() const { return last->kind == Event::Kind::expired; }
};

namespace {

// The change of one document, and the request behind it.
struct DocumentChange {
  const CollectionName& name;
  const NotificationOrigin& origin;
  std::string_view action;
  Instant at;
  NotifiedDocument document;
};

bool wants_change(const Channel& channel, Scope scope) {
  if (channel.state == Channel::State::pending) return false;
  if (channel.scope == Channel::Selection::all) return true;
  return channel.scope == (scope == Scope::in ? Channel::Selection::in : Channel::Selection::out);
}

std::string render(const Realtime::State& state, const DocumentChange& document_change, Scope scope,
                   const Generation& generation) {
  const Facts& facts = state.options.facts;
  const NotifiedDocument& document = document_change.document;
  const Renderer& renderer = generation.renderer();
  const Notification notification{.origin = document_change.origin,
                                  .index = document_change.name.index,
                                  .collection = document_change.name.collection,
                                  .action = document_change.action,
                                  .at = document_change.at,
                                  .scope = scope,
                                  .event = document.after ? "write" : "delete",
                                  .node = state.options.node,
                                  .result = scope == Scope::in
                                                ? renderer.in_scope(document, facts)
                                                : renderer.out_of_scope(document, facts)};
  return render(notification, generation);
}

void send(Realtime::State& state, Delivery& delivery, const std::vector<std::string>& rooms,
          const DocumentChange& document_change, Scope scope) {
  const auto wants = [&](const Channel& channel, ConnectionId, const Member& member) {
    return member.since < document_change.at && wants_change(channel, scope);
  };
  RenderedNotification text([&](const Generation& generation) {
    return render(state, document_change, scope, generation);
  });
  delivery.send(rooms, wants, text);
}

// Filters are evaluated without the lock: a subscriber that enters meanwhile does so after the
// commit.
void notify_rooms(Realtime::State& state, const DocumentChange& document_change) {
  const Facts& facts = state.options.facts;
  std::vector<std::string> in;
  std::vector<std::string> out;
  const NotifiedDocument& document = document_change.document;
  if (document.after) {
    const Value body = body_with_facts(*document.after, facts);
    in = state.matching(document_change.name, {document.id, body});
  }
  if (document.before) {
    const Value body = body_with_facts(*document.before, facts);
    const std::set<std::string_view> told_in(in.begin(), in.end());
    for (std::string& room : state.matching(document_change.name, {document.id, body})) {
      if (!told_in.contains(room)) out.push_back(std::move(room));
    }
  }
  Delivery delivery(state);
  send(state, delivery, in, document_change, Scope::in);
  send(state, delivery, out, document_change, Scope::out);
}

bool wants(const TransientEvent& event, const Channel& channel) {
  if (event.is_pending) {
    return channel.state != Channel::State::done && channel.scope != Channel::Selection::none;
  }
  return wants_change(channel, Scope::in);
}

void send(Realtime::State& state, const TransientEvent& event) {
  Notification notification{
      .origin = event.origin,
      .index = event.name.index,
      .collection = event.name.collection,
      .action = event.origin.action.empty() ? std::string_view("publish") : event.origin.action,
      .at = event.at,
      .node = state.options.node,
      .result = {{"_source", event.body},
                 {"_id", event.id.empty() ? Value(nullptr) : Value(event.id)}}};
  if (event.is_pending) {
    notification.state = mayfly::kuzzle::realtime::State::pending;
    notification.scope = Scope::unknown;
  } else {
    notification.event = "publish";
  }
  const std::vector<std::string> rooms = state.matching(event.name, {event.id, event.body});
  const auto is_published = [&](const Channel& channel, ConnectionId, const Member& member) {
    return member.since <= event.at && wants(event, channel);
  };
  RenderedNotification text(
      [&](const Generation& generation) { return render(notification, generation); });
  Delivery(state).send(rooms, is_published, text);
}

void send(Realtime::State& state, const MembershipChange& change) {
  const UserNotification notification{.origin = *change.origin,
                                      .index = change.name.index,
                                      .collection = change.name.collection,
                                      .at = change.at,
                                      .has_entered = change.has_entered,
                                      .count = change.count,
                                      .node = state.options.node};
  const auto is_published = [&](const Channel& channel, ConnectionId connection,
                                const Member& member) {
    return connection != change.about && member.entry < change.entry &&
           wants_users(channel, change.has_entered);
  };
  RenderedNotification text(
      [&](const Generation& generation) { return render(notification, generation); });
  Delivery(state).send({change.room_id}, is_published, text);
}

// As it is in the trash since then; if it is not there, its last state, marked as removed.
Document as_removed(Document before, const Collection& collection, const DocumentKey& key,
                    Instant at, LazyView& view) {
  auto trashed = view.get().get_removed(collection, key);
  if (trashed && *trashed && (*trashed)->version.removed_at == at) return **trashed;
  before.version.removed_at = at;
  return before;
}

std::string_view default_action(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::created: return "create";
    case Event::Kind::replaced:
    case Event::Kind::restored: return "update";
    case Event::Kind::removed: return "delete";
    case Event::Kind::expired: return "expire";
    case Event::Kind::forgotten: break;
  }
  return "";
}

// The action that the request names, or else the kind of change.
std::string_view action_of(const std::optional<NotificationOrigin>& origin, Event::Kind kind) {
  if (!origin || origin->action.empty() || kind == Event::Kind::expired) {
    return default_action(kind);
  }
  const bool is_creation = kind == Event::Kind::created && !origin->created_action.empty();
  return is_creation ? origin->created_action : origin->action;
}

}  // namespace

bool Pump::run() {
  state_.held.release_overdue(monotonic_now());
  send_membership_changes();
  if (!until_) begin_round();
  send_transient_events();
  if (transient_left_ > 0) return true;
  const Instant until = *std::exchange(until_, std::nullopt);
  bool has_more = follower_.has_more() || transient_waiting() > 0;
  for (auto& [name, source] : sources_) {
    if (source.collection && source.is_due)
      has_more = publish_feed(name, source, until) || has_more;
    if (!source.collection) forget(name, until);
  }
  return has_more;
}

void Pump::send_membership_changes() {
  std::deque<MembershipChange> changes;
  {
    const std::lock_guard lock(state_.wake_mutex);
    changes.swap(state_.membership_changes);
    state_.membership_changes_bytes = 0;
  }
  for (const MembershipChange& change : changes) realtime::send(state_, change);
}

void Pump::begin_round() {
  follow();
  const auto [through, due] = follower_.next();
  for (auto& [name, source] : sources_) {
    if (source.collection && due.contains(source.collection->id)) source.is_due = true;
  }
  until_ = through;
  transient_left_ = transient_waiting();
}

std::size_t Pump::transient_waiting() const {
  const std::lock_guard lock(state_.wake_mutex);
  return state_.transient_events.size();
}

// At most one run's share.
void Pump::send_transient_events() {
  for (auto remaining = std::min(transient_left_, limits::realtime_said_turn_max); remaining > 0;
       --remaining) {
    TransientEvent event;
    {
      const std::lock_guard lock(state_.wake_mutex);
      event = std::move(state_.transient_events.front());
      state_.transient_events.pop_front();
      state_.transient_bytes -= event.bytes;
      --transient_left_;
    }
    realtime::send(state_, event);
    state_.held.notified_transient(event.number);
  }
}

// Looks up the rooms' collections in the current catalog.
void Pump::follow() {
  std::map<CollectionName, Instant> wanted;
  {
    const std::lock_guard lock(state_.mutex);
    for (const auto& [name, followed] : state_.rooms.all()) wanted.emplace(name, followed.since);
  }
  for (auto source = sources_.begin(); source != sources_.end();) {
    if (!wanted.contains(source->first)) {
      forget(source->first, Instant::never());
      source = sources_.erase(source);
    } else {
      ++source;
    }
  }
  const CatalogPtr catalog = state_.database.catalog();
  std::set<CollectionId> followed;
  for (const auto& [name, since] : wanted) {
    const DatabaseInfoPtr index = catalog->find_database(name.index);
    CollectionPtr collection =
        index ? catalog->find_collection(index->id, name.collection) : nullptr;
    const auto [found, is_new] = sources_.try_emplace(name);
    Source& source = found->second;
    if (is_new) source.at = {since, UINT32_MAX};
    const bool is_same = collection && source.collection && collection->id == source.collection->id;
    source.collection = std::move(collection);
    source.is_due = source.is_due || !is_same;
    if (source.collection) followed.insert(source.collection->id);
  }
  follower_.follow_only(followed);
  std::set<CollectionName> names;
  for (const auto& [name, source] : sources_) names.insert(name);
  state_.held.notified_all_but(names);
}

// Publishes one page. Returns whether more can be published immediately.
bool Pump::publish_feed(const CollectionName& name, Source& source, Instant until) {
  const auto page = state_.database.feed().read(*source.collection, source.at,
                                                limits::feed_page_events_max, until);
  // Without a feed, or dropped: there is nothing to publish.
  if (page && !publish_page(name, source, *page)) {
    // It may take long until the writing request is known; answers do not wait for that.
    state_.held.notified(name, Instant::never());
    return false;  // still due
  }
  if (page && page->has_more) return true;
  source.is_due = false;
  forget(name, until);
  return false;
}

void Pump::forget(const CollectionName& name, Instant until) {
  state_.held.notified(name, until);
  const std::lock_guard lock(state_.mutex);
  state_.pending_writes.forget(name, until);
}

// False if the request of a write is not known yet.
bool Pump::publish_page(const CollectionName& name, Source& source, const FeedPage& page) {
  LazyView view(state_.database);
  const std::vector<Event>& events = page.events;
  for (std::size_t i = 0; i < events.size();) {
    // All events of one commit; there may be several for one document.
    std::size_t end = i;
    while (end < events.size() && events[end].committed_at == events[i].committed_at) ++end;
    std::vector<Step> steps;
    std::map<DocumentKey, std::size_t> by_key;
    for (; i < end; ++i) {
      // Removals from the trashcan are not published, and hide nothing that is.
      if (events[i].kind == Event::Kind::forgotten) continue;
      const auto [found, is_new] = by_key.emplace(events[i].key, steps.size());
      if (is_new) steps.push_back({&events[i], &events[i]});
      steps[found->second].last = &events[i];
    }
    for (const Step& step : steps) {
      state_.held.release_overdue(monotonic_now());
      if (!publish_step(name, source, step, view)) return false;
      const Event& document_change = *step.first;
      source.at =
          std::max(source.at, FeedPosition{document_change.committed_at, document_change.number});
    }
    const Event& last = events[end - 1];
    source.at = std::max(source.at, FeedPosition{last.committed_at, last.number});
    // A page may end within a commit.
    if (end < events.size()) state_.held.notified(name, last.committed_at);
  }
  return true;
}

bool Pump::publish_step(const CollectionName& name, const Source& source, const Step& step,
                        LazyView& view) {
  const Event& event = *step.last;
  const std::string& id = event.key.id;
  PendingWrites::FoundWrite found;
  {
    const std::lock_guard lock(state_.mutex);
    found = state_.pending_writes.find(name, id, event.committed_at);
    if (state_.rooms.followed(name) == nullptr) return true;
  }
  if (found.may_be_pending) return false;
  const bool is_published = step.leaves_document() || step.is_removal() ||
                            (step.is_expiry() && state_.options.notifies_expiry);
  if (!is_published || found.is_suppressed) return true;
  EventImages first(view, *source.collection, *step.first);
  EventImages last(view, *source.collection, event);
  static const NotificationOrigin unknown_origin;
  const bool is_new = event.kind == Event::Kind::created;
  DocumentChange document_change{
      .name = name,
      .origin = found.origin ? *found.origin : unknown_origin,
      .action = action_of(found.origin, event.kind),
      .at = event.committed_at,
      .document = {.id = id,
                   .before = first.before(),
                   .after = step.leaves_document() ? last.after() : std::nullopt,
                   .updated_fields = is_new ? nullptr : std::move(found.updated_fields)}};
  NotifiedDocument& document = document_change.document;
  if (document.before && !step.leaves_document()) {
    document.before = as_removed(*std::move(document.before), *source.collection, event.key,
                                 event.committed_at, view);
  }
  // If a document without history has changed again meanwhile, the later event reports it.
  if (step.leaves_document() && !document.after) return true;
  notify_rooms(state_, document_change);
  return true;
}

}  // namespace mayfly::kuzzle::realtime
