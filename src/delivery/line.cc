#include "delivery/line.h"

#include <algorithm>

#include "db/feed/durable_cursor.h"

namespace mayfly::delivery {

Line::Line(Subscription subscription, Progress progress, std::uint64_t epoch)
    : subscription_(std::move(subscription)),
      progress_(std::move(progress)),
      epoch_(epoch),
      window_(progress_.place),
      written_(progress_.place.committed_at) {}

void Line::note(Window::Number number, const Outcome& outcome, Instant now, double random) {
  if (outcome.kind == Outcome::Kind::taken) {
    const Window::Item item = window_.finish(number);
    ++taken_;
    ++progress_.delivered;
    progress_.delivered_at = now;
    if (item.is_dead_letter) sent_letters_.push_back(item.message.id);
    failures_ = 0;
    rests_until_ = Instant::beginning();
    has_news_ = true;
    return;
  }
  progress_.last_error = outcome.error;
  progress_.failed_at = now;
  has_news_ = true;
  const Window::Item& item = window_.item(number);
  const bool is_refused = outcome.kind == Outcome::Kind::refused;
  const bool is_away = outcome.kind == Outcome::Kind::away;
  // A target that is away takes no message: one alone is at fault only if others were taken.
  const bool counts = is_refused || (is_away && taken_ > item.taken_before);
  const std::int64_t attempts = item.attempts + (counts ? 1 : 0);
  if (counts && attempts >= static_cast<std::int64_t>(subscription_.attempts_max)) {
    return give_up(number, outcome.error, now);
  }
  const bool was_tried = is_refused || is_away;
  window_.put_off(number, was_tried ? now + wait_after(attempts, random) : now, counts, taken_);
  if (is_refused || is_resting(now)) return;
  const Span rest = wait_after(++failures_, random);
  rests_until_ = now + (is_away ? rest : std::min(rest, limits::interrupted_rest_max));
}

void Line::give_up(Window::Number number, const std::string& error, Instant now) {
  const Window::Item& item = window_.give_up(number);
  given_up_.push_back(number);
  if (item.is_dead_letter) {
    sent_letters_.push_back(item.message.id);
  } else {
    ++progress_.dead;
  }
  new_letters_.push_back({.subscription = subscription_.id,
                          .message = item.message,
                          .attempts = item.attempts + 1,
                          .error = error,
                          .died_at = now});
}

void Line::note_gap() {
  if (!progress_.has_gap) has_news_ = true;
  progress_.has_gap = true;
}

bool Line::has_moved() const {
  return window_.done().committed_at - written_ >= DurableCursor::written_every;
}

Progress Line::progress() const {
  Progress now = progress_;
  now.place = window_.done();
  now.round = subscription_.round;
  return now;
}

void Line::note_written(const Progress& progress) {
  written_ = progress.place.committed_at;
  has_news_ = false;
  new_letters_.clear();
  for (const Window::Number number : std::exchange(given_up_, {})) window_.finish(number);
  sent_letters_.clear();
}

LineState Line::state() const {
  return {.progress = progress(),
          .waiting = window_.size(),
          .under_way = window_.under_way(),
          .oldest = window_.oldest(),
          .rests_until = rests_until_,
          .is_paused = subscription_.is_paused};
}

}  // namespace mayfly::delivery
