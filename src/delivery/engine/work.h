// DeliveryWork: all that only the engine's job touches. Private to the engine.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/feed/follower.h"
#include "delivery/engine/inbox.h"
#include "delivery/engine/served.h"

namespace mayfly::delivery {

class DeliveryWork {
 public:
  explicit DeliveryWork(Deliveries& engine);
  Result<NextRun> run(const JobRun& job);

 private:
  struct Place {
    std::unique_ptr<Served> served;
    bool is_changed = true;  // its subscriptions are to be read
    bool was_read = false;   // since the start
    // Of the last time, while it rests.
    std::string failure = {};
    Instant failed_at = {};        // by monotonic_now(), and …
    Instant failed_at_there = {};  // … by the database
  };
  struct Held {
    std::size_t messages = 0;
    std::size_t bytes = 0;
    std::size_t calls = 0;
  };

  void take_ended();
  void write(const JobRun& job);
  void forget_places(const Catalog& catalog);
  void end_rests();
  void note_failure(Place& place, const Error& error);
  template <class Do>
  void for_each_place(const Do& act);
  bool find_places(const CatalogPtr& catalog);
  void note_changes();
  void hold_feeds(const Catalog& catalog);
  bool read_subscriptions(const JobRun& job);
  void follow(const Catalog& catalog);
  void list_lines();
  bool is_stale() const;
  bool read_events();
  void look_at_targets();
  void send(Instant now);
  Held room_for(const Line& line) const;
  std::vector<Window::Number> begin_next(Line& line, const Target& target, Instant now);
  bool send_next(Line& line, Target& target, Instant now);
  NextRun next_run(Instant now) const;
  Instant next_due(Instant now) const;
  void show();

  Database& database_;
  Random& random_;
  const std::shared_ptr<Deliveries::Inbox> inbox_;
  CatalogPtr catalog_;
  Formats formats_;
  std::map<std::string, Target*, std::less<>> targets_;  // by kinds
  std::map<std::string, std::string> closed_;            // of them, and why
  std::map<std::string, std::uint64_t> openings_;        // the last that were seen
  std::vector<Subscription> standing_;
  std::map<DatabaseId, Place> places_;
  std::map<std::uint64_t, Line*> lines_;  // by epochs
  std::uint64_t epochs_ = 0;
  const WindowBytes bytes_;  // of all lines
  Held held_;                // by all attempts under way, …
  struct Share {
    Held held;
    std::string calls_of;  // a database and a kind of target
  };
  std::map<std::uint64_t, Share> shares_;      // … and of it by each line that has some
  std::map<std::string, std::size_t> calls_;   // of it, by databases and kinds of targets
  std::size_t turns_ = 0;                      // of send()
  Instant through_ = Instant::beginning();     // all events up to it can be read
  Instant written_at_ = Instant::beginning();  // by monotonic_now, as the next
  Span writing_took_;                          // the last time
  Instant synced_at_ = Instant::beginning();
  bool is_unsynced_ = false;  // what was written is not durable yet
  Instant shown_at_ = Instant::beginning();
  Instant held_at_ = Instant::beginning();
  Follower follower_;
};

}  // namespace mayfly::delivery
