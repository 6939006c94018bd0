// Reading events, and giving them to the lines that want them.
#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/service/logging.h"
#include "db/rows/keys.h"
#include "delivery/engine/served.h"

namespace mayfly::delivery {
namespace {

constexpr FeedPosition end_of(Instant commit) {
  return {commit, UINT32_MAX};
}

// Whether events behind the place are kept no more. A collection that is younger had none.
bool has_gap(const Catalog& catalog, const HeldFeeds& held,
             const std::set<CollectionId>& collections, const FeedPosition& at, Instant now) {
  return std::ranges::any_of(collections, [&](CollectionId id) {
    const CollectionPtr collection = catalog.collection(id);
    return collection &&
           held.floor(*collection, now) > std::max(at.committed_at, collection->created_at);
  });
}

Message empty_message(const DatabaseInfo& database, const FollowedEvent& followed) {
  Message message{.id = message_id(followed.collection->id, followed.event),
                  .position = followed.position(),
                  .database = database.name,
                  .collection = followed.collection->name};
  put_u32(message.document, followed.collection->id);
  message.document += keys::encode(followed.event.key);
  return message;
}

// As a message, and as a text in a row, where quotes and backslashes become longer.
bool fits(std::string_view payload) {
  const auto escaped = std::ranges::count_if(payload, [](char c) { return c == '"' || c == '\\'; });
  return payload.size() <= limits::message_bytes_max &&
         payload.size() + static_cast<std::size_t>(escaped) + limits::letter_other_bytes_max <=
             limits::document_bytes_max;
}

Result<Message> message_of(const DatabaseInfo& database, const FollowedEvent& followed,
                           const Format& format, EventImages* images) {
  const CollectionPtr& collection = followed.collection;
  const Event& event = followed.event;
  Message message = empty_message(database, followed);
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

// All have the place of the last event of the commit. None where another one is the last.
// `images`: as of MessageParts; `takers` receive the messages.
Result<std::vector<Message>> messages_of(const DatabaseInfo& database,
                                         const FollowedEvent& followed,
                                         std::span<const Event> commit, const Format& format,
                                         EventImages* images, std::size_t takers) {
  if (!format.render_commit) {
    std::vector<Message> one;
    one.push_back(TRY(message_of(database, followed, format, images)));
    return one;
  }
  std::vector<Message> all;
  if (commit.back().number != followed.event.number) return all;
  const Message empty = empty_message(database, followed);
  const MessageParts parts{empty, followed.collection, followed.event, images, commit};
  std::vector<Rendered> made = TRY(format.render_commit(parts));
  std::size_t bytes = 0;
  for (const Rendered& one : made) bytes += one.payload.size() * takers;
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

// What each commit of the page did to each collection.
using Commits = std::map<std::pair<Instant, CollectionId>, std::vector<Event>>;
Commits commits_of(const FollowedPage& page) {
  Commits commits;
  for (const FollowedEvent& one : page.events) {
    commits[{one.event.committed_at, one.collection->id}].push_back(one.event);
  }
  return commits;
}

}  // namespace

// Lines that stand at one place, and read on together.
struct Served::Group {
  const Formats& formats;
  const WindowBytes& bytes;
  FeedPosition at = {};  // after the event that was read last
  bool is_at_head = false;
  bool has_commits = false;        // a format asks for what whole commits did
  Matching::Wanted wanted = {};    // the lines, by their numbers
  Instant until;                   // by monotonic_now(): then others have their turn
  std::set<Line*> lines = {};      // that still have room
  std::set<CollectionId> of = {};  // no other has events that they have not read
};

Result<bool> Served::read_events(Instant through, const Formats& formats,
                                 const WindowBytes& bytes) {
  std::map<FeedPosition, std::vector<std::size_t>> places;
  for (std::size_t number = 0; number < active_.size(); ++number) {
    Line* line = active_[number];
    if (line->has_letters_left && line->window().has_room()) {
      View view = database_.view();
      TRY(read_letters(view, *line, bytes));
    }
    const FeedPosition at = line->window().read();
    const bool may_read = !line->waits_for_room() && bytes.admits(line->window()) &&
                          at < end_of(through) && formats.contains(line->subscription().format);
    if (may_read) places[at].push_back(number);
  }
  bool has_more = false;
  Result<void> done;
  ++runs_;
  const Instant until = monotonic_now() + limits::delivery_turn_max;
  bool is_head_read = !places.contains(head_);
  auto place = places.lower_bound(next_);
  for (std::size_t n = 0; n < places.size(); ++n, ++place) {
    if (place == places.end()) place = places.begin();
    const auto& [at, numbers] = *place;
    next_ = at;
    if (n > 0 && monotonic_now() >= until) {
      has_more = true;
      break;
    }
    Group group{
        .formats = formats, .bytes = bytes, .at = at, .is_at_head = at == head_, .until = until};
    is_head_read = is_head_read || group.is_at_head;
    group.wanted.resize(active_.size());
    for (const std::size_t number : numbers) {
      group.lines.insert(active_[number]);
      group.wanted[number] = true;
    }
    group.of = group.is_at_head ? due_ : collections_;
    auto one = read_group(group, through);
    if (!one && done) done = std::move(one);
    has_more = has_more || std::ranges::any_of(group.lines, [&](Line* line) {
                 return line->window().read() < end_of(through);
               });
  }
  TRY(done);
  if (!is_head_read) return has_more;
  head_ = end_of(through);
  due_.clear();
  return has_more;
}

// Where a format asks for commits, from the beginning of the one in which the group stands, and
// with whole ones only.
Served::Page Served::read_page(const Group& group, Instant through) const {
  if (!group.has_commits) return read_behind(group, group.at, through);
  Page page = read_behind(group, beginning_of_commit(group.at), through);
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
    Page more = read_behind(group, page.events.back().position(), last);
    is_whole = more.is_whole || more.events.empty();
    std::ranges::move(more.events, std::back_inserter(page.events));
  }
  page.upto = end_of(last);
  return page;
}

Served::Page Served::read_behind(const Group& group, FeedPosition at, Instant through) const {
  std::vector<FeedCursor> cursors;
  for (const CollectionId id : group.of) cursors.push_back({id, at});
  Page page{read_followed(database_, cursors, end_of(through), limits::delivery_page_events_max,
                          FeedReach::held)};
  page.upto = page.is_whole         ? end_of(through)
              : page.events.empty() ? at
                                    : page.events.back().position();
  return page;
}

// What was read before a failure is not read again.
Result<void> Served::read_group(Group& group, Instant through) {
  group.has_commits = std::ranges::any_of(group.lines, [&](const Line* line) {
    return bool(group.formats.find(line->subscription().format)->second.render_commit);
  });
  const Page page = read_page(group, through);
  const CatalogPtr catalog = database_.catalog();
  for (const CollectionId id : page.gone) {
    if (keeps_feed(catalog->collection(id))) return fail(Code::internal, "a feed cannot be read");
  }
  // Those at the head have read all events until now, however long nothing has happened.
  if (page.has_gap && !group.is_at_head &&
      has_gap(*catalog, *database_.feed().holds().current(), group.of, group.at, through)) {
    std::ranges::for_each(group.lines, &Line::note_gap);
  }
  const Result<void> done = give_all(group, page);
  for (Line* line : group.lines) line->window().note_read(group.at);
  return done;
}

Result<void> Served::give_all(Group& group, const Page& page) {
  LateView view(database_);
  const Commits commits = group.has_commits ? commits_of(page) : Commits();
  for (const FollowedEvent& followed : page.events) {
    if (followed.position() <= group.at) continue;
    if (monotonic_now() >= group.until) return {};
    const auto commit = commits.find({followed.event.committed_at, followed.collection->id});
    const auto events = commit == commits.end() ? std::span<const Event>() : commit->second;
    if (!TRY(give(group, followed, events, view))) return {};
    group.at = followed.position();
  }
  group.at = std::max(group.at, page.upto);
  return {};
}

// To the lines of the group that want it. Those that have no room for it stop before it.
Result<bool> Served::give(Group& group, const FollowedEvent& followed,
                          std::span<const Event> commit, LateView& view) {
  EventImages images(view, *followed.collection, followed.event);
  std::map<std::string_view, std::vector<std::pair<const Subscription*, Line*>>> takers;
  const auto found =
      matching_->find(*followed.collection, followed.event, images, group.wanted, group.until);
  for (const std::size_t number : matching_->take_stopped()) {
    active_[number]->note_error("its filter takes too long and is asked no more", database_.now());
  }
  if (!found) return false;
  for (const std::size_t number : *found) {
    Line* line = active_[number];
    const Subscription* one = &line->subscription();
    if (!line->wants(followed.position())) continue;
    if (group.bytes.admits(line->window())) {
      takers[one->format].emplace_back(one, line);
      continue;
    }
    line->window().note_read(group.at);
    line->wait_for_room();
    group.lines.erase(line);
    group.wanted[number] = false;
  }
  std::vector<Given> given;
  for (const auto& [name, those] : takers) {
    const Format& format = group.formats.find(name)->second;
    auto messages = messages_of(*place_, followed, commit, format, &images, those.size());
    if (!messages && !is_given_up(followed.position())) return tl::unexpected(messages.error());
    if (!messages) messages = messages_of(*place_, followed, commit, format, nullptr, those.size());
    if (!messages) {
      note_lost(followed, messages.error());
      for (const auto& [one, line] : those) line->note_gap();
      continue;
    }
    for (Message& made : *messages) {
      const MessagePtr message = group.bytes.hold(std::move(made));
      for (const auto& [one, line] : those) {
        const bool is_wanted = one->names.empty() || one->names.contains(message->event);
        if (is_wanted) given.push_back({line, message});
      }
    }
  }
  if (images.has_failed() && !is_given_up(followed.position())) {
    return fail(Code::internal, "an event's document cannot be read");
  }
  for (Given& one : given) TRY(look_up(one, view));
  for (Given& one : given) {
    if (!one.is_wanted) continue;
    one.line->window().add(std::move(one.message), one.attempts, one.next, one.asked_at);
  }
  unread_.erase(followed.position());
  return true;
}

void Served::note_lost(const FollowedEvent& followed, const Error& error) const {
  log(LogLevel::error, "an event cannot be read and is not sent",
      {{"database", place_->name},
       {"collection", followed.collection->name},
       {"error", error.message}});
}

// What the log says has become of it: what has ended is not sent once more.
Result<void> Served::look_up(Given& one, LateView& view) const {
  const Line& line = *one.line;
  if (!line.subscription().is_logged) return {};
  const std::string& id = one.message->id;
  one.is_wanted = !line.window().has_dead_letter(id) && !line.new_log().contains(id);
  if (!one.is_wanted) return {};
  const auto known = TRY(logged(view.get(), line, id));
  if (!known) return {};
  one.is_wanted = known->status == LogRow::Status::pending;
  one.attempts = known->attempts;
  one.next = known->next_at;
  one.asked_at = known->asked_at;
  return {};
}

// An event that cannot be read is read again: a filter may want it. What stays unreadable is
// damaged, and holds up no other.
bool Served::is_given_up(const FeedPosition& unreadable) {
  Unread& known = unread_[unreadable];
  if (std::exchange(known.last, runs_) != runs_) ++known.tries;
  return known.tries > limits::event_read_tries_max;
}

}  // namespace mayfly::delivery
