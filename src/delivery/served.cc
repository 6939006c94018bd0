#include "delivery/served.h"

#include <algorithm>
#include <iterator>

#include "db/keys.h"
#include "delivery/standing.h"

namespace mayfly::delivery {
namespace {

constexpr FeedPosition end_of(Instant commit) {
  return {commit, UINT32_MAX};
}

bool keeps_feed(const CollectionPtr& collection) {
  return collection && collection->policy.feed.span != Span{0};
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

Message message_of(const DatabaseInfo& database, const FollowedEvent& followed,
                   const Format& format, EventImages& images) {
  const CollectionPtr& collection = followed.collection;
  const Event& event = followed.event;
  Message message{.id = message_id(collection->id, event),
                  .position = followed.position(),
                  .database = database.name,
                  .collection = collection->name,
                  .event = std::string(format.event_name(event.kind))};
  put_u32(message.document, collection->id);
  message.document += keys::encode(event.key);
  std::string payload;
  format.render({message, collection, event, &images}, payload);
  if (payload.size() > limits::message_bytes_max) {
    payload.clear();
    format.render({message, collection, event, nullptr}, payload);
  }
  message.payload = std::move(payload);
  return message;
}

}  // namespace

// Lines that stand at one place, and read on together.
struct Served::Group {
  const Formats& formats;
  WindowBytes& bytes;
  FeedPosition at = {};  // after the event that was read last
  bool is_at_head = false;
  std::set<Line*> lines = {};      // that still have room
  std::set<CollectionId> of = {};  // no other has events that they have not read
};

// --- what there is ---

Result<std::vector<Served::Row>> Served::read_rows(View& view) const {
  const auto subscriptions = PrivateTable<Subscription>::find(view.catalog(), place_->id);
  const auto progress = PrivateTable<Progress>::find(view.catalog(), place_->id);
  std::vector<Row> rows;
  std::vector<Subscription> all = TRY(subscriptions.list(view));
  for (const Subscription& one : standing_) all.push_back(standing_in(*place_, one));
  for (Subscription& one : all) {
    Row row{.progress = {.place = one.from, .round = one.round}};
    const auto known = lines_.find(one.id);
    const Line* before = known == lines_.end() ? nullptr : known->second.get();
    row.is_new = before == nullptr || before->subscription().changed_at != one.changed_at;
    auto kept = before != nullptr ? std::optional(before->progress())
                                  : TRY(progress.get(view, DocumentKey::of(one.id)));
    if (kept && kept->round == one.round) row.progress = *std::move(kept);
    row.subscription = std::move(one);
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<void> Served::read(std::uint64_t& epochs) {
  View view = database_.view();
  std::vector<Row> rows = TRY(read_rows(view));
  auto before = std::exchange(lines_, {});
  std::vector<const Subscription*> active;
  for (Row& row : rows) {
    const std::string id = row.subscription.id;
    auto& line = lines_[id];
    line = row.is_new ? std::make_unique<Line>(std::move(row.subscription), std::move(row.progress),
                                               ++epochs)
                      : std::move(before[id]);
    if (!line->subscription().is_paused) active.push_back(&line->subscription());
    line->has_letters_left = true;
  }
  matching_ = std::make_unique<Matching>(active);
  return {};
}

Result<void> Served::read_letters(View& view, Line& line) const {
  const auto table = PrivateTable<DeadLetter>::find(view.catalog(), place_->id, DeadLetter::again);
  line.has_letters_left = false;
  return table.each(
      view,
      [&](DeadLetter letter) -> Result<bool> {
        if (line.window().has_dead_letter(letter.message.id)) return true;
        line.has_letters_left = !line.window().has_room();
        if (line.has_letters_left) return false;
        line.window().add_dead_letter(std::move(letter.message));
        return true;
      },
      DeadLetter::of(line.subscription().id));
}

std::set<CollectionId> Served::find_collections(const Catalog& catalog) {
  const std::set<CollectionId> before = std::exchange(collections_, {});
  if (!lines_.empty()) {
    for (const CollectionPtr& collection : catalog.collections(place_->id)) {
      if (keeps_feed(collection)) collections_.insert(collection->id);
    }
  }
  std::ranges::set_difference(collections_, before, std::inserter(due_, due_.end()));
  std::erase_if(due_, [this](CollectionId id) { return !collections_.contains(id); });
  return collections_;
}

void Served::note_news(const std::set<CollectionId>& collections) {
  std::ranges::set_intersection(collections_, collections, std::inserter(due_, due_.end()));
}

// --- events ---

Result<bool> Served::read_events(Instant through, const Formats& formats, WindowBytes& bytes) {
  std::map<FeedPosition, std::set<Line*>> places;
  for (auto& [id, line] : lines_) {
    if (line->subscription().is_paused) continue;
    if (line->has_letters_left && line->window().has_room()) {
      View view = database_.view();
      TRY(read_letters(view, *line));
    }
    const FeedPosition at = line->window().read();
    const bool may_read = bytes.admits(line->window()) && at < end_of(through) &&
                          formats.contains(line->subscription().format);
    if (may_read) places[at].insert(line.get());
  }
  bool has_more = false;
  for (auto& [at, lines] : places) {
    Group group{.formats = formats, .bytes = bytes, .at = at, .is_at_head = at == head_};
    group.lines = std::move(lines);
    group.of = group.is_at_head ? due_ : collections_;
    TRY(read_group(group, through));
    has_more = has_more || std::ranges::any_of(group.lines, [&](Line* line) {
                 return line->window().read() < end_of(through);
               });
  }
  head_ = end_of(through);
  due_.clear();
  return has_more;
}

Result<void> Served::read_group(Group& group, Instant through) {
  std::vector<FeedCursor> cursors;
  for (const CollectionId id : group.of) cursors.push_back({id, group.at});
  const FollowedPage page = read_followed(database_, cursors, end_of(through),
                                          limits::delivery_page_events_max, FeedReach::held);
  const CatalogPtr catalog = database_.catalog();
  for (const CollectionId id : page.gone) {
    if (keeps_feed(catalog->collection(id))) return fail(Code::internal, "a feed cannot be read");
  }
  LateView view(database_);
  // Those at the head have read all events until now, however long nothing has happened.
  if (page.has_gap && !group.is_at_head &&
      has_gap(*catalog, *database_.feed().holds().current(), group.of, group.at, through)) {
    std::ranges::for_each(group.lines, &Line::note_gap);
  }
  const Instant begun = monotonic_now();
  bool is_cut = false;
  for (const FollowedEvent& followed : page.events) {
    is_cut = monotonic_now() - begun > limits::delivery_turn_max;
    if (is_cut) break;
    TRY(give(group, followed, view));
    group.at = followed.position();
  }
  if (page.is_whole && !is_cut) group.at = end_of(through);
  for (Line* line : group.lines) line->window().note_read(group.at);
  return {};
}

// To the lines of the group that want it. Those that have no room for it stop before it.
Result<void> Served::give(Group& group, const FollowedEvent& followed, LateView& view) {
  EventImages images(view, *followed.collection, followed.event);
  std::map<std::string_view, Message> messages;  // by formats
  std::vector<std::pair<Line*, const Message*>> given;
  for (const Subscription* one : matching_->find(*followed.collection, followed.event, images)) {
    Line* line = lines_.at(one->id).get();
    if (!group.lines.contains(line)) continue;
    if (!group.bytes.admits(line->window())) {
      line->window().note_read(group.at);
      group.lines.erase(line);
      continue;
    }
    auto made = messages.find(one->format);
    if (made == messages.end()) {
      const Format& format = group.formats.find(one->format)->second;
      made = messages.emplace(one->format, message_of(*place_, followed, format, images)).first;
    }
    given.emplace_back(line, &made->second);
  }
  if (images.has_failed() && !is_given_up(followed.position())) {
    return fail(Code::internal, "an event's document cannot be read");
  }
  for (const auto& [line, message] : given) {
    group.bytes.held += message->payload.size();
    line->window().add(*message);
  }
  return {};
}

// An event whose document cannot be read is read again: a filter may want it. What stays unreadable
// is damaged, and holds up no other.
bool Served::is_given_up(const FeedPosition& unreadable) {
  if (unread_ != unreadable) unread_tries_ = 0;
  unread_ = unreadable;
  return ++unread_tries_ > limits::event_read_tries_max;
}

// --- what is written down ---

Instant Served::written_place() const {
  Instant first = Instant::never();
  for (const auto& [id, line] : lines_) first = std::min(first, line->written());
  return first;
}

bool Served::has_news() const {
  return std::ranges::any_of(
      lines_, [](const auto& line) { return line.second->has_news() || line.second->has_moved(); });
}

Result<void> Served::write() {
  std::vector<Line*> changed;
  for (const auto& [id, line] : lines_) {
    if (line->has_news() || line->has_moved()) changed.push_back(line.get());
  }
  if (!standing_.empty() && !changed.empty()) TRY(make_subscription_tables(database_, place_->id));
  for (std::size_t i = 0; i < changed.size();) {
    const std::size_t first = i;
    std::vector<Progress> written;
    std::size_t bytes = 0;
    for (; i < changed.size() && i - first < limits::lines_at_once &&
           bytes < limits::letter_bytes_at_once;
         ++i) {
      written.push_back(changed[i]->progress());
      for (const auto& letter : changed[i]->new_letters())
        bytes += 1 + letter.message.payload.size();
    }
    TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
      for (std::size_t n = first; n < i; ++n) {
        TRY(write_line(transaction, *changed[n], written[n - first]));
      }
      return {};
    }));
    // The next message of a document is sent once it is sure that the one before was given up.
    if (bytes > 0) database_.store().sync(database_.store().applied());
    for (std::size_t n = first; n < i; ++n) changed[n]->note_written(written[n - first]);
  }
  return {};
}

Result<void> Served::write_line(Transaction& transaction, Line& line,
                                const Progress& progress) const {
  View& view = transaction.view();
  const Catalog& catalog = view.catalog();
  const std::string& id = line.subscription().id;
  if (!line.subscription().is_standing) {
    const auto row =
        TRY(PrivateTable<Subscription>::find(catalog, place_->id).get(view, DocumentKey::of(id)));
    // Removed, or begun again, meanwhile.
    if (!row || row->round != line.subscription().round) return {};
  }
  TRY(PrivateTable<Progress>::find(catalog, place_->id)
          .put(transaction, DocumentKey::of(id), progress));
  const auto dead = PrivateTable<DeadLetter>::find(catalog, place_->id);
  const PutOptions month{.lifetime =
                             Lifetime{At{transaction.now() + limits::dead_letters_kept_for}}};
  for (const DeadLetter& letter : line.new_letters()) {
    TRY(dead.put(transaction, letter.key(), letter, month));
  }
  const auto again = PrivateTable<DeadLetter>::find(catalog, place_->id, DeadLetter::again);
  for (const std::string& message : line.sent_letters()) {
    const DocumentKey key = DeadLetter::key_of(id, message);
    if (TRY(again.get(view, key))) TRY(again.remove(transaction, key));
  }
  return {};
}

}  // namespace mayfly::delivery
