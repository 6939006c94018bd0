// Subscriber: one running subscription: its position, its window, and the state of its target.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "delivery/engine/window.h"
#include "delivery/rows/dead_letter.h"
#include "delivery/rows/log.h"
#include "delivery/rows/progress.h"
#include "delivery/subscription.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// The published state of a subscriber.
struct SubscriptionState {
  SubscriptionProgress progress;
  std::size_t waiting = 0;            // messages that were read and are not done
  std::size_t under_way = 0;          // of these
  Instant oldest = Instant::never();  // commit instant of the first known event that is not done
  Instant rests_until = Instant::beginning();
  bool is_paused = false;
};

// Threads: those of one job.
class Subscriber {
 public:
  // `epoch` distinguishes it from all others, including earlier ones of the same subscription.
  Subscriber(Subscription subscription, SubscriptionProgress progress, std::uint64_t epoch);

  const Subscription& subscription() const { return subscription_; }
  std::uint64_t epoch() const { return epoch_; }
  Window& window() { return window_; }
  const Window& window() const { return window_; }

  // Whether none of its latest attempts succeeded.
  bool is_failing() const { return failures_ > 0; }
  bool is_resting(Instant now) const { return now < rests_until_; }
  Instant rests_until() const { return rests_until_; }
  void begin(Window::Number number) { window_.begin(number, taken_); }
  // Records the outcome of an attempt. `random` is in [0, 1).
  void note(Window::Number number, const AttemptOutcome& outcome, const Target& target, Instant now,
            double random);
  // Applies a log row of a pending message that a client has changed: the message was cancelled, or
  // is to be sent sooner.
  void apply(const LogRow& row);
  // Ends the back-off: the target can be reached again.
  void end_rest() { rests_until_ = Instant::beginning(); }
  // The commit instant of the first event that it has not read; never(): none is known.
  void record_unread(Instant committed_at) { unread_since_ = committed_at; }
  void record_gap();
  void record_error(std::string error, Instant now);  // an error that concerns no message
  // A full window is filled again once half of it is done, because each filling reads a page.
  void wait_for_room() { waits_for_room_ = true; }
  bool waits_for_room();
  // Whether the messages of this event are still to be sent. Of the events that an earlier
  // subscriber has read, some are done.
  bool needs(const FeedPosition& event) const;
  // Whether dead letters that are to be sent again were not read because there was no room.
  bool has_letters_left = false;
  // The epochs of earlier subscribers of its subscription. Their attempts in flight end before this
  // one sends anything.
  std::vector<std::uint64_t> earlier_epochs;
  void wait_for_earlier(const Subscriber& subscriber);

  // Whether something is to be stored: the position, dead letters or rows of the log. All are kept
  // here until they are stored.
  bool has_unsaved() const {
    return has_unsaved_ || !new_letters_.empty() || !sent_letters_.empty() || !new_log_.empty();
  }
  // Whether its position has moved so far that it is stored for that reason alone.
  bool has_moved() const;
  SubscriptionProgress progress() const;
  SubscriptionProgress progress_summary() const;  // without the events that are left
  const std::vector<DeadLetter>& new_letters() const { return new_letters_; }
  const std::set<std::string>& sent_letters() const { return sent_letters_; }  // message ids
  const std::map<std::string, LogRow>& new_log() const { return new_log_; }    // by message id
  // All commits up to this instant are done, according to the stored position.
  Instant stored_through() const { return stored_through_; }
  // Bytes of dead letters and log rows that are to be stored; some may be counted twice.
  std::size_t new_bytes() const { return new_bytes_; }
  // Whether the next messages of some documents wait until it is durable that earlier ones were
  // given up.
  bool has_given_up() const { return !given_up_.empty(); }
  void record_stored(const SubscriptionProgress& progress);

  SubscriptionState state() const;

 private:
  void give_up(Window::Number number, const std::string& error, Instant now);
  void log_outcome(LogRow::Status status, const Window::Item& item, const AttemptOutcome& outcome,
                   Instant now);

  const Subscription subscription_;
  SubscriptionProgress progress_;
  const std::uint64_t epoch_;
  Window window_;
  Instant stored_through_;
  bool has_unsaved_ = false;
  bool waits_for_room_ = false;
  Instant unread_since_ = Instant::never();
  std::int64_t failures_ = 0;  // consecutive failures of the target
  std::uint64_t taken_ = 0;
  Instant rests_until_ = Instant::beginning();
  std::vector<DeadLetter> new_letters_;
  std::size_t new_bytes_ = 0;
  std::vector<Window::Number> given_up_;  // messages whose giving up is not durable yet
  std::set<std::string> sent_letters_;
  std::map<std::string, LogRow> new_log_;
};

}  // namespace mayfly::delivery
