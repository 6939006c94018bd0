// The sweeper's own thread: it sleeps until the earliest end, and gives way to the foreground.
#include <algorithm>
#include <chrono>

#include "base/thread.h"
#include "db/limits.h"
#include "db/sweeper_state.h"

namespace mayfly {

// The foreground has more than it can do.
void Sweeper::State::rest(std::unique_lock<std::mutex>& lock) {
  changed.wait_for(lock, std::chrono::microseconds(limits::sweep_rest_overloaded.micros),
                   [this] { return is_stopping || !gives_way; });
}

void Sweeper::start() {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.thread.joinable()) return;
  s.is_stopping = false;
  s.compactor.start();
  s.thread = std::thread([&s] {
    become_background_thread("sweeper");
    s.run_until_stopped();
  });
}

void Sweeper::State::run_until_stopped() {
  std::unique_lock lock(mutex);
  while (!is_stopping) {
    const Instant now = database.clock.read();
    const Instant next = first_due(Tries::unless_resting, {}).first;
    if (!is_paused && next <= now) {
      lock.unlock();
      const Instant began = monotonic_now();
      const std::uint64_t foreground = database.foreground.load(std::memory_order_relaxed);
      (void)run(limits::sweep_batch_max, Tries::unless_resting);  // said in note_failure()
      const Span took = monotonic_now() - began;
      const bool is_busy = database.foreground.load(std::memory_order_relaxed) != foreground;
      lock.lock();
      // Where others are at work it takes no more than half of the time.
      const Span rest_for = is_busy ? took : Span{0};
      changed.wait_for(lock, std::chrono::microseconds(rest_for.micros),
                       [this] { return is_stopping; });
      if (gives_way) rest(lock);
      continue;
    }
    changed.wait_for(lock, std::chrono::microseconds(time_to_rest(next, now).micros));
    if (is_stopping || !database.dropped.any()) continue;
    lock.unlock();
    (void)database.erase_dropped();  // it stays pending
    lock.lock();
  }
}

// How long there is nothing to do, if `next` is the earliest end. On a virtual clock an end comes
// only when the clock is moved.
Span Sweeper::State::time_to_rest(Instant next, Instant now) const {
  Span wait = Span::seconds(3'600);
  const bool only_moved = is_paused || next.is_never() || database.is_virtual;
  if (!only_moved) wait = std::min(wait, next - now);
  const Instant monotonic = monotonic_now();
  const Instant retry_at = failing.next_retry(monotonic);
  if (!is_paused && !retry_at.is_never()) wait = std::min(wait, retry_at - monotonic);
  // Nobody says when the views are gone that still read what has been dropped.
  if (database.dropped.any()) wait = std::min(wait, limits::dropped_rows_looked_at_every);
  return wait;
}

void Sweeper::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
    state_->changed.notify_all();
  }
  if (!state_->thread.joinable()) return;
  state_->thread.join();
  state_->compactor.stop();
}

void Sweeper::pause() {
  const std::lock_guard lock(state_->mutex);
  state_->is_paused = true;
}

void Sweeper::resume() {
  const std::lock_guard lock(state_->mutex);
  state_->is_paused = false;
  state_->changed.notify_all();
}

void Sweeper::give_way(bool gives_way) {
  const std::lock_guard lock(state_->mutex);
  state_->gives_way = gives_way;
  if (!gives_way) state_->changed.notify_all();
}

void Sweeper::wake() {
  const std::lock_guard lock(state_->mutex);
  state_->changed.notify_all();
}

}  // namespace mayfly
