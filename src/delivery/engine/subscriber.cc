#include "delivery/engine/subscriber.h"

#include <algorithm>

#include "db/feed/durable_cursor.h"

namespace mayfly::delivery {

namespace {

// The latest instant up to which whole commits are done.
Instant whole_commits_of(const FeedPosition& position) {
  const bool is_whole =
      position.number == UINT32_MAX || position.committed_at == Instant::beginning();
  return is_whole ? position.committed_at : position.committed_at - Span{1};
}

std::size_t bytes_of_row(const Message& message) {
  constexpr std::size_t other = 1'000;  // all but the payload
  return other + message.payload.size();
}

}  // namespace

Subscriber::Subscriber(Subscription subscription, SubscriptionProgress progress,
                       std::uint64_t epoch)
    : subscription_(std::move(subscription)),
      progress_(std::move(progress)),
      epoch_(epoch),
      window_(progress_.position),
      stored_through_(whole_commits_of(progress_.position)) {}

void Subscriber::note(Window::Number number, const AttemptOutcome& outcome, const Target& target,
                      Instant now, double random) {
  has_unsaved_ = true;
  if (outcome.kind == AttemptOutcome::Kind::taken) {
    const Window::Item item = window_.finish(number);
    ++taken_;
    ++progress_.delivered;
    progress_.delivered_at = now;
    if (item.is_dead_letter) sent_letters_.insert(item.message->id);
    log_outcome(LogRow::Status::delivered, item, outcome, now);
    failures_ = 0;
    rests_until_ = Instant::beginning();
    return;
  }
  progress_.last_error = outcome.error;
  progress_.failed_at = now;
  const Window::Item& item = window_.item(number);
  const bool is_refused = outcome.kind == AttemptOutcome::Kind::refused;
  const bool is_away = outcome.kind == AttemptOutcome::Kind::away;
  // A target that is away takes no message. So a single message is at fault only if the target took
  // others meanwhile.
  const bool counts = is_refused || (is_away && taken_ > item.taken_before);
  const std::int64_t attempts = item.attempts + (counts ? 1 : 0);
  if (counts && attempts >= static_cast<std::int64_t>(subscription_.attempts_max)) {
    log_outcome(LogRow::Status::failed, item, outcome, now);
    return give_up(number, outcome.error, now);
  }
  const bool was_tried = is_refused || is_away;
  const Instant next = was_tried ? now + target.wait_after(attempts, random) : now;
  window_.postpone(number, next, counts, taken_);
  if (counts) log_outcome(LogRow::Status::pending, item, outcome, now);
  if (is_refused || is_resting(now)) return;
  const Span rest = delivery::wait_after(++failures_, random);
  rests_until_ = now + (is_away ? rest : std::min(rest, limits::interrupted_rest_max));
}

// The attempts of a pending message already include this one.
void Subscriber::log_outcome(LogRow::Status status, const Window::Item& item,
                             const AttemptOutcome& outcome, Instant now) {
  if (!subscription_.is_logged) return;
  new_bytes_ += bytes_of_row(*item.message);
  const bool is_pending = status == LogRow::Status::pending;
  new_log_.insert_or_assign(item.message->id,
                            LogRow{.subscription = subscription_.id,
                                   .message = *item.message,
                                   .status = status,
                                   .attempts = item.attempts + (is_pending ? 0 : 1),
                                   .next_at = is_pending ? item.next : Instant::never(),
                                   .last_at = now,
                                   .code = outcome.code,
                                   .error = outcome.error,
                                   .asked_at = item.asked_at});
}

void Subscriber::apply(const LogRow& row) {
  const bool is_cancelled = row.status == LogRow::Status::cancelled;
  if (is_cancelled) new_log_.erase(row.message.id);
  const auto& items = window_.items();
  const auto found = std::ranges::find_if(
      items, [&](const auto& one) { return one.second.message->id == row.message.id; });
  if (found == items.end() || found->second.is_under_way) return;
  const Window::Item& item = found->second;
  if (!is_cancelled) {
    if (row.asked_at <= item.asked_at) return;
    return window_.reschedule(found->first, row.attempts, row.next_at, row.asked_at);
  }
  if (item.is_dead_letter) sent_letters_.insert(row.message.id);
  window_.finish(found->first);
  has_unsaved_ = true;
}

void Subscriber::give_up(Window::Number number, const std::string& error, Instant now) {
  const Window::Item& item = window_.give_up(number);
  given_up_.push_back(number);
  if (item.is_dead_letter) {
    sent_letters_.insert(item.message->id);
  } else {
    ++progress_.dead;
  }
  if (subscription_.is_logged) return;
  new_bytes_ += bytes_of_row(*item.message);
  new_letters_.push_back({.subscription = subscription_.id,
                          .message = *item.message,
                          .attempts = item.attempts + 1,
                          .error = error,
                          .died_at = now});
}

void Subscriber::wait_for_earlier(const Subscriber& subscriber) {
  const bool goes_on = subscriber.subscription_.round == subscription_.round;
  if (goes_on) stored_through_ = std::min(stored_through_, subscriber.stored_through_);
  earlier_epochs = subscriber.earlier_epochs;
  earlier_epochs.push_back(subscriber.epoch());
}

bool Subscriber::needs(const FeedPosition& event) const {
  return event > progress_.read || std::ranges::binary_search(progress_.left, event);
}

void Subscriber::record_error(std::string error, Instant now) {
  has_unsaved_ = true;
  progress_.last_error = std::move(error);
  progress_.failed_at = now;
}

void Subscriber::record_gap() {
  if (!progress_.has_gap) has_unsaved_ = true;
  progress_.has_gap = true;
}

bool Subscriber::waits_for_room() {
  const bool is_half_full = window_.size() > limits::window_messages_max / 2 ||
                            window_.bytes() > limits::window_bytes_max / 2;
  waits_for_room_ = waits_for_room_ && is_half_full;
  return waits_for_room_;
}

bool Subscriber::has_moved() const {
  return window_.done().committed_at - stored_through_ >= DurableCursor::written_every;
}

SubscriptionProgress Subscriber::progress_summary() const {
  return {.position = window_.done(),
          .round = subscription_.round,
          .delivered = progress_.delivered,
          .dead = progress_.dead,
          .has_gap = progress_.has_gap,
          .last_error = progress_.last_error,
          .failed_at = progress_.failed_at,
          .delivered_at = progress_.delivered_at};
}

SubscriptionProgress Subscriber::progress() const {
  SubscriptionProgress now = progress_summary();
  now.left = window_.left();
  // Events that an earlier subscriber had read and this one has not.
  const auto unread = std::ranges::upper_bound(progress_.left, window_.read());
  now.left.insert(now.left.end(), unread, progress_.left.end());
  now.read = std::max(window_.read(), progress_.read);
  return now;
}

void Subscriber::record_stored(const SubscriptionProgress& progress) {
  stored_through_ = whole_commits_of(progress.position);
  has_unsaved_ = false;
  new_letters_.clear();
  for (const Window::Number number : std::exchange(given_up_, {})) window_.finish(number);
  sent_letters_.clear();
  new_log_.clear();
  new_bytes_ = 0;
}

SubscriptionState Subscriber::state() const {
  return {.progress = progress_summary(),
          .waiting = window_.size(),
          .under_way = window_.under_way(),
          .oldest = std::min(window_.oldest(), unread_since_),
          .rests_until = rests_until_,
          .is_paused = subscription_.is_paused};
}

}  // namespace mayfly::delivery
