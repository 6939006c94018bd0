#include "delivery/engine/work.h"

#include <algorithm>
#include <utility>

#include "base/service/logging.h"

namespace mayfly::delivery {

DeliveryWork::DeliveryWork(Deliveries& engine)
    : database_(engine.database_),
      random_(engine.random_),
      inbox_(engine.inbox_),
      follower_(database_, [inbox = inbox_] { inbox->wake(); }) {
  constexpr int lines_of_one_work = 32;  // as bits of a number
  const std::lock_guard lock(inbox_->mutex);
  epochs_ = ++inbox_->works << lines_of_one_work;
  standing_ = inbox_->standing;
}

// What is read behind next() knows all subscriptions and collections up to `through_`.
Result<NextRun> DeliveryWork::run(const JobRun& job) {
  take_ended();
  forget_places(*database_.catalog());
  end_rests();
  write(job);
  if (follower_.has_more() || is_stale()) {
    const Follower::Round round = follower_.next();
    through_ = round.through;
    for (auto& [id, place] : places_) place.served->note_news(round.due);
  }
  const CatalogPtr catalog = database_.catalog();
  const bool has_changed = find_places(catalog);
  note_changes();
  if (read_subscriptions(job) || has_changed) follow(*catalog);
  hold_feeds(*catalog);
  const bool has_more = read_events();
  const Instant now = database_.now();
  send(now);
  show();
  NextRun next = has_more || follower_.has_more() ? NextRun::immediately() : next_run(now);
  for (const auto& [id, place] : places_) {
    if (!place.failure.empty()) next.failure = place.failure;
  }
  return next;
}

NextRun DeliveryWork::next_run(Instant now) const {
  if (places_.empty() && standing_.empty()) return NextRun::when_woken();
  const bool is_to_be_written = is_unsynced_ || std::ranges::any_of(places_, [](const auto& place) {
                                  return place.second.served->has_news();
                                });
  return {.due = next_due(now),
          .at_latest =
              is_to_be_written ? limits::progress_every : limits::subscriptions_looked_at_every};
}

// --- what has become of attempts ---

void DeliveryWork::take_ended() {
  std::deque<EndedAttempt> ended;
  {
    const std::lock_guard lock(inbox_->mutex);
    ended.swap(inbox_->ended);
  }
  const Instant now = database_.now();
  for (const EndedAttempt& one : ended) {
    const auto share = shares_.find(one.epoch);
    if (share == shares_.end()) continue;  // of a work that is over
    for (Held* held : {&held_, &share->second.held}) {
      held->messages -= one.numbers.size();
      --held->calls;
      held->bytes -= one.bytes;
    }
    const auto calls = calls_.find(share->second.calls_of);
    if (--calls->second == 0) calls_.erase(calls);
    if (share->second.held.messages == 0) shares_.erase(share);
    const auto line = lines_.find(one.epoch);
    if (line == lines_.end()) continue;  // changed or removed meanwhile
    const double random = static_cast<double>(random_.below(1 << 20)) / (1 << 20);
    const Target& target = *targets_.at(line->second->subscription().target);
    for (const Window::Number number : one.numbers) {
      line->second->note(number, one.outcome, target, now, random);
    }
  }
}

// At once where nothing more is under way; else so often, but for most of the time it sends.
void DeliveryWork::write(const JobRun& job) {
  const Instant now = monotonic_now();
  const Span every{std::max(limits::progress_every.micros, 9 * writing_took_.micros)};
  if (held_.messages == 0 || now - written_at_ >= every) {
    for_each_place([&](Place& place) -> Result<void> {
      if (!place.served->has_news()) return {};
      is_unsynced_ = true;
      return place.served->write(job);
    });
    written_at_ = monotonic_now();
    writing_took_ = written_at_ - now;
  }
  // Where nothing else is written no other would make it durable.
  if (!is_unsynced_ || now - synced_at_ < limits::progress_every) return;
  database_.store().sync(database_.store().applied());
  synced_at_ = now;
  is_unsynced_ = false;
}

// --- what there is to do ---

// Of a database that is gone nothing is to be written down.
void DeliveryWork::forget_places(const Catalog& catalog) {
  const auto gone = std::erase_if(
      places_, [&](const auto& place) { return catalog.database(place.first) == nullptr; });
  if (gone > 0) list_lines();
}

// One that fails holds up no other; it rests, and what it does is done again. The failure of one
// whose database was dropped meanwhile is none.
template <class Do>
void DeliveryWork::for_each_place(const Do& act) {
  for (auto& [id, place] : places_) {
    if (!place.failure.empty()) continue;
    const Result<void> done = act(place);
    if (!done && database_.catalog()->database(id) != nullptr) note_failure(place, done.error());
  }
}

void DeliveryWork::note_failure(Place& place, const Error& error) {
  place.failure = place.served->place().name + ": " + error.message;
  place.failed_at = monotonic_now();
  place.failed_at_there = database_.now();
  log(LogLevel::error, "subscriptions cannot be served; they are tried again each second",
      {{"database", place.served->place().name}, {"error", error.message}});
}

// By the clock that is first: a virtual one may stand still, or leap.
void DeliveryWork::end_rests() {
  const Instant now = monotonic_now();
  const Instant now_there = database_.now();
  for (auto& [id, place] : places_) {
    const bool rests = now - place.failed_at < limits::place_rest &&
                       now_there - place.failed_at_there < limits::place_rest;
    if (!rests) place.failure.clear();
  }
}

// Whether the catalog is another than before.
bool DeliveryWork::find_places(const CatalogPtr& catalog) {
  if (catalog == catalog_) return false;
  catalog_ = catalog;
  forget_places(*catalog);
  for (const DatabaseInfoPtr& database : catalog->databases()) {
    if (places_.contains(database->id)) continue;
    const bool has_some =
        !standing_.empty() || PrivateTable<Subscription>::find(*catalog, database->id);
    if (!has_some) continue;
    places_[database->id].served = std::make_unique<Served>(database_, database, standing_);
  }
  return true;
}

// Behind next(): of what was committed up to `through_`, either the change is over, or it is still
// held.
void DeliveryWork::note_changes() {
  const std::lock_guard lock(inbox_->mutex);
  for (auto& [id, place] : places_) {
    if (inbox_->changes.contains(id)) place.is_changed = true;
  }
  std::erase_if(inbox_->changes, [](const auto& change) { return change.second == 0; });
  if (formats_.size() != inbox_->formats.size()) formats_ = inbox_->formats;
  if (targets_.size() == inbox_->targets.size()) return;
  for (const auto& [kind, target] : inbox_->targets) targets_[kind] = target.get();
}

// A database whose subscriptions are being changed keeps what it has: it may have none yet. What
// one needs whose subscriptions could not be read yet is not known.
void DeliveryWork::hold_feeds(const Catalog& catalog) {
  const Instant at = monotonic_now();
  if (held_at_ != Instant::beginning() && at - held_at_ < limits::feeds_held_every) return;
  held_at_ = at;
  std::map<DatabaseId, Instant> places;
  for (const auto& [id, place] : places_) {
    const Instant written = place.was_read ? place.served->written_place() : Instant::beginning();
    if (!written.is_never()) places.emplace(id, written);
  }
  FeedHolds& holds = database_.feed().holds();
  const std::lock_guard lock(inbox_->mutex);
  const auto before = holds.current();
  const auto keep = [&](DatabaseId id) {
    const auto known = before->places.find(id);
    if (known == before->places.end()) return;
    Instant& place = places.emplace(*known).first->second;
    place = std::min(place, known->second);
  };
  for (const auto& [id, count] : inbox_->changes) keep(id);
  for (const auto& [id, place] : places_) {
    if (place.is_changed) keep(id);
  }
  holds.set(std::move(places), !standing_.empty(), catalog, database_.now());
}

// What its lines have done is written down first: those that begin again forget it. Whether there
// were any to read.
bool DeliveryWork::read_subscriptions(const JobRun& job) {
  bool were_read = false;
  for_each_place([&](Place& place) -> Result<void> {
    if (!place.is_changed) return {};
    if (place.served->has_news()) TRY(place.served->write(job));
    were_read = true;
    TRY(place.served->read(epochs_));
    place.was_read = true;
    place.is_changed = false;
    return {};
  });
  if (were_read) list_lines();
  return were_read;
}

void DeliveryWork::list_lines() {
  lines_.clear();
  for (auto& [id, place] : places_) {
    for (auto& [subscription, line] : place.served->lines()) lines_[line->epoch()] = line.get();
  }
}

void DeliveryWork::follow(const Catalog& catalog) {
  std::set<CollectionId> collections;
  for (auto& [id, place] : places_) collections.merge(place.served->find_collections(catalog));
  follower_.follow_only(collections);
}

// Nothing has happened for long: places move on all the same, or the feeds would no longer reach
// back to them.
bool DeliveryWork::is_stale() const {
  return !lines_.empty() && database_.now() - through_ > limits::places_moved_every;
}

bool DeliveryWork::read_events() {
  bool has_more = false;
  for_each_place([&](Place& place) -> Result<void> {
    if (place.is_changed || place.served->lines().empty()) return {};
    has_more = TRY(place.served->read_events(through_, formats_, bytes_)) || has_more;
    return {};
  });
  return has_more;
}

// --- attempts ---

void DeliveryWork::look_at_targets() {
  closed_.clear();
  for (const auto& [kind, target] : targets_) {
    if (auto why = target->closed()) closed_.emplace(kind, *std::move(why));
    const std::uint64_t openings = target->openings();
    if (std::exchange(openings_[kind], openings) == openings) continue;
    for (const auto& [epoch, line] : lines_) {
      if (line->subscription().target == kind) line->end_rest();
    }
  }
}

// In turns, so that each has its share where not all can be under way.
void DeliveryWork::send(Instant now) {
  look_at_targets();
  std::vector<std::pair<Line*, Target*>> ready;
  for (const auto& [epoch, line] : lines_) {
    const auto target = targets_.find(line->subscription().target);
    if (line->subscription().is_paused || target == targets_.end()) continue;
    if (!closed_.contains(target->first)) ready.emplace_back(line, target->second);
  }
  if (!ready.empty()) std::ranges::rotate(ready, ready.begin() + turns_++ % ready.size());
  while (!ready.empty()) {
    std::erase_if(ready, [&](auto& one) { return !send_next(*one.first, *one.second, now); });
  }
}

// What a subscription may have under way beside what it has.
DeliveryWork::Held DeliveryWork::room_for(const Line& line) const {
  const auto known = shares_.find(line.epoch());
  const Held own = known == shares_.end() ? Held{} : known->second.held;
  const std::size_t messages =
      limits::messages_under_way_max - std::min(held_.messages, limits::messages_under_way_max);
  const std::size_t bytes =
      limits::bytes_under_way_max - std::min(held_.bytes, limits::bytes_under_way_max);
  return {messages - std::min(own.messages, messages), bytes - std::min(own.bytes, bytes)};
}

// Those that go together next. One that was refused before goes alone, so that it takes no other
// with it.
std::vector<Window::Number> DeliveryWork::begin_next(Line& line, const Target& target,
                                                     Instant now) {
  std::vector<Window::Number> batch;
  const Window& window = line.window();
  Held room = room_for(line);
  // One of them may be what a target fails at.
  const std::size_t most = line.is_failing() ? 1 : target.batch_max(line.subscription().settings);
  std::size_t bytes_left = std::min(room.bytes, limits::message_bytes_max);
  for (auto number = window.next(now); number && batch.size() < most; number = window.next(now)) {
    const Window::Item& item = window.item(*number);
    const std::size_t bytes = item.message->payload.size();
    const bool goes_alone = item.attempts > 0;
    if (room.messages == 0 || bytes > (batch.empty() ? room.bytes : bytes_left)) break;
    if (goes_alone && !batch.empty()) break;
    line.begin(*number);
    batch.push_back(*number);
    --room.messages;
    bytes_left -= std::min(bytes, bytes_left);
    if (goes_alone) break;
  }
  return batch;
}

// Whether some were sent.
bool DeliveryWork::send_next(Line& line, Target& target, Instant now) {
  const Window& window = line.window();
  const auto share = shares_.find(line.epoch());
  std::erase_if(line.earlier_epochs,
                [this](std::uint64_t epoch) { return !shares_.contains(epoch); });
  if (!line.earlier_epochs.empty()) return false;
  const auto first = window.next(now);
  if (!first) return false;
  const std::string calls_of =
      window.item(*first).message->database + " " + std::string(target.kind());
  const auto calls = calls_.find(calls_of);
  const bool is_busy = (share != shares_.end() && share->second.held.calls >= target.at_once()) ||
                       (calls != calls_.end() && calls->second >= target.at_once_of_database());
  const bool is_unwritten = line.new_bytes() >= limits::unwritten_bytes_max;
  if (line.is_resting(now) || is_busy || is_unwritten) return false;
  EndedAttempt ended{.epoch = line.epoch(), .numbers = begin_next(line, target, now)};
  if (ended.numbers.empty()) return false;
  std::vector<const Message*> messages;
  for (const Window::Number number : ended.numbers) {
    messages.push_back(window.item(number).message.get());
    ended.bytes += messages.back()->payload.size();
  }
  const std::int64_t attempt = window.item(ended.numbers.front()).attempts + 1;
  shares_[line.epoch()].calls_of = calls_of;
  ++calls_[calls_of];
  for (Held* held : {&held_, &shares_[line.epoch()].held}) {
    held->messages += messages.size();
    ++held->calls;
    held->bytes += ended.bytes;
  }
  target.send({.subscription = line.subscription().id,
               .round = line.subscription().round,
               .settings = line.subscription().settings,
               .message = *messages.front(),
               .others = std::span(messages).subspan(1),
               .attempt = attempt,
               .now = now},
              [inbox = inbox_, ended = std::move(ended)](Outcome outcome) mutable {
                ended.outcome = std::move(outcome);
                inbox->put([&] { inbox->ended.push_back(std::move(ended)); });
              });
  return true;
}

Instant DeliveryWork::next_due(Instant now) const {
  Instant due = Instant::never();
  for (const auto& [epoch, line] : lines_) {
    if (line->subscription().is_paused) continue;
    const Instant next = std::max(line->window().next_due(), line->rests_until());
    if (next > now) due = std::min(due, next);
  }
  return due;
}

// Not each time, where there is much to do.
void DeliveryWork::show() {
  const Instant at = monotonic_now();
  if (held_.messages > 0 && at - shown_at_ < limits::progress_every) return;
  shown_at_ = at;
  std::map<std::string, LineState> states;
  std::set<std::string, std::less<>> missing;
  for (const auto& [epoch, line] : lines_) {
    LineState& state = states[line->subscription().id] = line->state();
    const auto closed = closed_.find(line->subscription().target);
    if (closed != closed_.end()) state.progress.last_error = closed->second;
    if (targets_.contains(line->subscription().target)) continue;
    state.progress.last_error = std::string(no_target);
    missing.insert(line->subscription().target);
  }
  const std::lock_guard lock(inbox_->mutex);
  inbox_->states.swap(states);
  inbox_->missing.swap(missing);
}

}  // namespace mayfly::delivery
