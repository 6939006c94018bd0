// Line: one subscription at work: its place, its window, and how its target does.
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

// What is shown of a line.
struct LineState {
  Progress progress;
  std::size_t waiting = 0;            // messages that have been read and are not done
  std::size_t under_way = 0;          // of them
  Instant oldest = Instant::never();  // the commit of the first event that is not done
  Instant rests_until = Instant::beginning();
  bool is_paused = false;
};

// Threads: those of one job.
class Line {
 public:
  // `epoch` tells it from all others, also from earlier ones of the same subscription.
  Line(Subscription subscription, Progress progress, std::uint64_t epoch);

  const Subscription& subscription() const { return subscription_; }
  std::uint64_t epoch() const { return epoch_; }
  Window& window() { return window_; }
  const Window& window() const { return window_; }

  // Of its last attempts none was taken.
  bool is_failing() const { return failures_ > 0; }
  bool is_resting(Instant now) const { return now < rests_until_; }
  Instant rests_until() const { return rests_until_; }
  void begin(Window::Number number) { window_.begin(number, taken_); }
  // What has become of an attempt at the target. `random` is in [0, 1).
  void note(Window::Number number, const Outcome& outcome, const Target& target, Instant now,
            double random);
  // Another has changed the row of a pending message: it was cancelled, or is to be sent sooner.
  void take_up(const LogRow& row);
  // What has interrupted attempts is over.
  void end_rest() { rests_until_ = Instant::beginning(); }
  void note_gap();
  void note_error(std::string error, Instant now);  // that is no message's
  // A window that is full is filled again once half of it is done: each filling reads a page.
  void wait_for_room() { waits_for_room_ = true; }
  bool waits_for_room();
  // Whether its messages are still to be sent; of what a line before it has read some are done.
  bool wants(const FeedPosition& event) const;
  // Dead letters that are to be sent again and have not been read, because there was no room.
  bool has_letters_left = false;
  // Of earlier lines of its subscription: what they have under way ends before it sends anything.
  std::vector<std::uint64_t> earlier_epochs;
  void note_earlier(const Line& line);

  // What is to be written down: the place, letters and rows of the log. All stay until they have
  // been.
  bool has_news() const {
    return has_news_ || !new_letters_.empty() || !sent_letters_.empty() || !new_log_.empty();
  }
  // Whether its place has moved so far that it is written for that alone.
  bool has_moved() const;
  Progress progress() const;
  Progress shown_progress() const;  // without what is left
  const std::vector<DeadLetter>& new_letters() const { return new_letters_; }
  const std::set<std::string>& sent_letters() const { return sent_letters_; }  // their messages
  const std::map<std::string, LogRow>& new_log() const { return new_log_; }    // by messages
  // All commits up to it are behind its place, as it is written down.
  Instant written() const { return written_; }
  // Of letters and rows that are to be written; some may be counted twice.
  std::size_t new_bytes() const { return new_bytes_; }
  // Whether the next messages of some documents wait until it is sure that others were given up.
  bool has_given_up() const { return !given_up_.empty(); }
  void note_written(const Progress& progress);

  LineState state() const;

 private:
  void give_up(Window::Number number, const std::string& error, Instant now);
  void note_in_log(LogRow::Status status, const Window::Item& item, const Outcome& outcome,
                   Instant now);

  const Subscription subscription_;
  Progress progress_;
  const std::uint64_t epoch_;
  Window window_;
  Instant written_;
  bool has_news_ = false;
  bool waits_for_room_ = false;
  std::int64_t failures_ = 0;  // one after another, of the target
  std::uint64_t taken_ = 0;
  Instant rests_until_ = Instant::beginning();
  std::vector<DeadLetter> new_letters_;
  std::size_t new_bytes_ = 0;
  std::vector<Window::Number> given_up_;  // their messages
  std::set<std::string> sent_letters_;
  std::map<std::string, LogRow> new_log_;
};

}  // namespace mayfly::delivery
